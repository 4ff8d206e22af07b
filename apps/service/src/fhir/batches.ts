import type { FhirResource } from 'fhir/r4.js';
import type { NamedPlace } from '@caregate/data-store';
import type { SearchQuery } from './search-query.ts';

/** Behind a resource, as JSON: what a cursor seals. */
export type Place =
  | { readonly id: string }
  | { readonly sorted: SortKey }
  | { readonly named: NamedPlace }
  | { readonly change: readonly [changedUs: number, userId: string] }
  | { readonly order: readonly [createdUs: number, orderId: string, observationId?: string] }
  | { readonly point: readonly [startUs: number, provider: string, type: string, endUs: number] };

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

/** Orders, people and points at once: others wait for so many. */
export const RECORDS = 20;

/** Of a search that everything may match: a page and one more, which shows whether there is a next one. */
export function fewRecords({ count, sort }: SearchQuery): number {
  return count === 0 || sort !== undefined ? RECORDS : Math.min(RECORDS, count + 1);
}

/** By id: few enough to read them again for each page. */
export function few(found: readonly Omit<Found, 'place'>[], from: Place | undefined): Found[] {
  const after = from !== undefined && 'id' in from ? from.id : '';
  return found
    .map((one) => ({ ...one, place: { id: one.resource.id ?? '' } }))
    .filter(({ place }) => place.id > after)
    .toSorted((one, other) => (one.place.id < other.place.id ? -1 : 1));
}
