import type { Bundle, FhirResource } from 'fhir/r4.js';

export interface SearchPage {
  /** Address of the FHIR server, without a slash at its end. */
  readonly base: string;
  readonly resources: readonly FhirResource[];
  /** How many match, on all pages. */
  readonly total?: number | undefined;
  /** Whole addresses: of this page with the parameters that were used, and of the next one. */
  readonly self: string;
  readonly next?: string | undefined;
}

export function searchset({ base, resources, total, self, next }: SearchPage): Bundle {
  const entry = resources.map((resource) => ({
    fullUrl: `${base}/${resource.resourceType}/${resource.id ?? ''}`,
    resource,
    search: { mode: 'match' } as const,
  }));
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total,
    link: [
      { relation: 'self', url: self },
      ...(next === undefined ? [] : [{ relation: 'next', url: next }]),
    ],
    entry: entry.length === 0 ? undefined : entry,
  };
}
