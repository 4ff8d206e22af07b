import { share } from '@caregate/seeded/seed';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** They use HTTP; engines are tested below them. */
const specs = [
  ...['patient-finder', 'audit-export', 'desk-events', 'disclosures', 'log-state', 'people'],
  ...['people-and-orders', 'team-isolation', 'fhir', 'export'],
] as const;

/** SQLite, and also PostgreSQL in the quarter of the specs that the seed chooses. */
export function enginesOf(spec: (typeof specs)[number]): readonly EngineName[] {
  return share(specs, 4).includes(spec) ? ['SQLite', 'PostgreSQL'] : ['SQLite'];
}
