import type { FhirResource } from 'fhir/r4.js';

/** Behind a resource, as JSON: what a cursor seals. */
export type Place =
  | { readonly offset: number }
  | { readonly change: readonly [changedUs: number, userId: string] }
  | { readonly order: readonly [createdUs: number, orderId: string, observationId?: string] }
  | { readonly point: readonly [startUs: number, provider: string, type: string, endUs: number] };

export interface Found {
  readonly resource: FhirResource;
  readonly place: Place;
}

/** All that the caller may see of what a search might match, from a place on. */
export type Batches = AsyncGenerator<readonly Found[], void, undefined>;

/** Orders, people and points at once. */
export const RECORDS = 100;

/** Few enough to read them again for each page. */
export function few(resources: readonly FhirResource[], from: Place | undefined): Found[] {
  return resources
    .map((resource, at) => ({ resource, place: { offset: at + 1 } }))
    .slice(offsetOf(from));
}

export function offsetOf(from: Place | undefined): number {
  return from !== undefined && 'offset' in from ? from.offset : 0;
}
