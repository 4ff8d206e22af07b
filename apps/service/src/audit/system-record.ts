import { userInfo } from 'node:os';
import { systemRecord, type AuditEntry } from './record/audit-entry.ts';
import type { RecordBody } from './record/record-body.ts';

export const ERASURE_OPERATIONS = { propose: 'proposeErasure', erase: 'erasePerson' } as const;
export const ALARMS = {
  'break-glass': 'breakGlass',
  'break-glass-many': 'breakGlassMany',
  'break-glass-unreviewed': 'breakGlassUnreviewed',
  'disk-space': 'diskSpace',
  'log-interrupted': 'logInterrupted',
  'proof-failed': 'proofFailed',
  'clock-step': 'clockStep',
} as const;
export const ALARM_OPERATIONS: readonly string[] = Object.values(ALARMS);

/** `2026-03-01T09:30:00.000Z` */
export function instantOfRecord({
  recorded_at_us: us,
}: Pick<RecordBody, 'recorded_at_us'>): string {
  return new Date(us / 1000).toISOString();
}

/** Ids of teams, keys and grants, and counts; no data about patients. */
export interface SystemFacts {
  readonly teamId?: string;
  readonly keyId?: string;
  readonly staffId?: string;
  readonly grantId?: string;
  readonly records?: number;
  readonly unreviewed?: number;
  readonly grants?: number;
  readonly freeBytes?: number;
  readonly totalBytes?: number;
  readonly seconds?: number;
}

export function systemEntry(operation: string, facts: SystemFacts = {}): AuditEntry {
  const { teamId = null, keyId = null, staffId, grantId = null, ...counts } = facts;
  const details = { ...counts, ...(staffId !== undefined && { staff_id: staffId }) };
  return systemRecord({ teamId, keyId, breakGlassId: grantId, operation, details });
}

export function commandEntry(
  operation: string,
  details: Readonly<Record<string, string | number>>,
): AuditEntry {
  return systemRecord({
    actorId: `command line: ${userName()}`,
    operation,
    dataCategory: 'audit',
    details,
  });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
