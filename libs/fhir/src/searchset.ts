import type { Bundle, BundleEntry, FhirResource } from 'fhir/r4.js';

export interface SearchPage {
  /** Each entry as JSON. */
  readonly entries: readonly string[];
  /** Number of matches on all pages. */
  readonly total?: number | undefined;
  /** Absolute URLs of this page, with the parameters that were used, and of the next page. */
  readonly self: string;
  readonly next?: string | undefined;
}

/** @param base address of the FHIR server, without a slash at its end */
export function buildSearchEntry(base: string, resource: FhirResource): BundleEntry {
  return {
    fullUrl: `${base}/${resource.resourceType}/${resource.id ?? ''}`,
    resource,
    search: { mode: 'match' },
  };
}

/** Returns a searchset Bundle as JSON. Entries are already JSON, so that a long page isn't serialized in one block. */
export function buildSearchset({ entries, total, self, next }: SearchPage): string {
  const bundle: Bundle = {
    resourceType: 'Bundle',
    type: 'searchset',
    total,
    link: [
      { relation: 'self', url: self },
      ...(next === undefined ? [] : [{ relation: 'next', url: next }]),
    ],
  };
  const text = JSON.stringify(bundle);
  return entries.length === 0 ? text : `${text.slice(0, -1)},"entry":[${entries.join(',')}]}`;
}
