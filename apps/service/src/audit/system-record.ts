import { userInfo } from 'node:os';
import { systemRecord, type AuditEntry } from '@caregate/audit-log';

/** Ids of teams, keys and grants, and counts; no data about patients. */
export interface SystemFacts {
  readonly teamId?: string;
  readonly keyId?: string;
  readonly staffId?: string;
  readonly grantId?: string;
  readonly records?: number;
  readonly misses?: number;
  readonly unreviewed?: number;
  readonly grants?: number;
  readonly freeBytes?: number;
  readonly totalBytes?: number;
  readonly seconds?: number;
  readonly witness?: string;
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
