import type { FhirResource } from 'fhir/r4.js';
import type { NameCursor, PointKey } from '@caregate/data-store';
import type { FhirCall } from './fhir-call.ts';
import type { SearchQuery } from './search-query.ts';

/**
 * The resource after which a page starts, which a cursor contains as encrypted JSON. It has one of these members, or
 * none for the first page.
 */
export interface Place {
  readonly id?: string | undefined;
  readonly sorted?: SortKey;
  readonly named?: NameCursor;
  readonly change?: readonly [changedUs: number, userId: string];
  readonly order?: readonly [createdUs: number, orderId: string, observationId?: string];
  readonly point?: PointKey;
}

/** Microseconds since 1970, negated to sort the latest first, and the ID for resources with the same time. */
export type SortKey = readonly [us: number, id: string];

export interface FoundResource {
  readonly resource: FhirResource;
  /** The unmasked resource, with which the search compares, if `resource` is masked. */
  readonly unmasked?: FhirResource;
  readonly place: Place;
}

/** Yields all resources that the caller may see and that may match the search, starting after a place. */
export type Batches = AsyncGenerator<readonly FoundResource[], void, undefined>;

/** Searches one resource type. It checks permissions before it reads. */
export type Search = (call: FhirCall, query: SearchQuery, from: Place) => Batches;

/** Number of orders, people or points that are read at a time, while other requests wait. */
export const BATCH_SIZE = 20;

/**
 * Returns how many records a search needs that is likely to match all of them: a page, and one more to find out
 * whether there is a next page.
 */
export function chooseLimit({ count, sort }: SearchQuery): number {
  return count === 0 || sort !== undefined ? BATCH_SIZE : Math.min(BATCH_SIZE, count + 1);
}

/** Sorts by ID. These resources are so few that each page reads all of them again. */
export function sortById(
  found: readonly Omit<FoundResource, 'place'>[],
  { id: after = '' }: Place,
): FoundResource[] {
  return found
    .map((one) => ({ ...one, place: { id: one.resource.id ?? '' } }))
    .filter(({ place }) => place.id > after)
    .toSorted((one, other) => (one.place.id < other.place.id ? -1 : 1));
}
