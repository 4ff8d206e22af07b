import type { FhirResource } from 'fhir/r4.js';
import type { NamedPlace, PointKey } from '@caregate/data-store';
import type { FhirCall } from './fhir-call.ts';
import type { SearchQuery } from './search-query.ts';

/** Behind a resource, as JSON: what a cursor seals. One of these, or none for the first page. */
export interface Place {
  readonly id?: string | undefined;
  readonly sorted?: SortKey;
  readonly named?: NamedPlace;
  readonly change?: readonly [changedUs: number, userId: string];
  readonly order?: readonly [createdUs: number, orderId: string, observationId?: string];
  readonly point?: PointKey;
}

/** Microseconds since 1970, negative for the latest first; the id tells equal ones apart. */
export type SortKey = readonly [us: number, id: string];

export interface Found {
  readonly resource: FhirResource;
  /** What the search compares, where the resource is masked. */
  readonly unmasked?: FhirResource;
  readonly place: Place;
}

/** All that the caller may see of what a search might match, from a place on. */
export type Batches = AsyncGenerator<readonly Found[], void, undefined>;

/** A search of one type. It checks permissions before it reads. */
export type Search = (call: FhirCall, query: SearchQuery, from: Place) => Batches;

/** Orders, people and points at once: others wait for so many. */
export const RECORDS = 20;

/** Of a search that everything may match: a page and one more, which shows whether there is a next one. */
export function fewRecords({ count, sort }: SearchQuery): number {
  return count === 0 || sort !== undefined ? RECORDS : Math.min(RECORDS, count + 1);
}

/** By id: few enough to read them again for each page. */
export function few(found: readonly Omit<Found, 'place'>[], { id: after = '' }: Place): Found[] {
  return found
    .map((one) => ({ ...one, place: { id: one.resource.id ?? '' } }))
    .filter(({ place }) => place.id > after)
    .toSorted((one, other) => (one.place.id < other.place.id ? -1 : 1));
}
