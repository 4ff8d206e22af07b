import type { Bundle, BundleEntry, FhirResource } from 'fhir/r4.js';

export interface SearchPage {
  /** JSON of entries. */
  readonly entries: readonly string[];
  /** How many match, on all pages. */
  readonly total?: number | undefined;
  /** Whole addresses: of this page with the parameters that were used, and of the next one. */
  readonly self: string;
  readonly next?: string | undefined;
}

/** @param base address of the FHIR server, without a slash at its end */
export function searchEntry(base: string, resource: FhirResource): BundleEntry {
  return {
    fullUrl: `${base}/${resource.resourceType}/${resource.id ?? ''}`,
    resource,
    search: { mode: 'match' },
  };
}

/** JSON of a Bundle. Its entries are texts, so that a long page need not be written at once. */
export function searchset({ entries, total, self, next }: SearchPage): string {
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
