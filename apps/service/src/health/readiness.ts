import type { AccessStore } from '../auth/access-store.ts';
import type { AuditTrail } from '../audit/trail/audit-trail.ts';
import type { HealthDataSource } from '@caregate/data-store';

export interface ReadyParts {
  readonly source: Pick<HealthDataSource, 'checkReady' | 'isDegraded'>;
  readonly access: Pick<AccessStore, 'checkReady'>;
  readonly auditTrail: Pick<AuditTrail, 'isOpen'>;
}

/** Words for the parts of the service in `/readyz`, by their label in `caregate_ready`. */
export const PART_WORDS = {
  store: 'data store',
  keys: 'key store',
  audit: 'audit log',
} as const;

type Part = keyof typeof PART_WORDS;

export async function findUnavailableParts(parts: ReadyParts): Promise<Map<Part, unknown>> {
  const checks: Readonly<Record<Part, Promise<void>>> = {
    store: parts.source.checkReady(),
    keys: parts.access.checkReady(),
    audit: parts.auditTrail.isOpen() ? Promise.resolve() : Promise.reject(new Error('Closed')),
  };
  const failed = new Map<Part, unknown>();
  await Promise.all(
    (Object.keys(checks) as Part[]).map((part) =>
      checks[part].catch((reason: unknown) => {
        failed.set(part, reason);
      }),
    ),
  );
  return failed;
}
