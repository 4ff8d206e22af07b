import type { AuditEntry } from '../audit-entry.ts';
import { systemRecord } from '../system-record.ts';

/** Ids of teams, keys and grants, and counts: nothing about a patient. */
export interface SystemFacts {
  readonly teamId?: string;
  readonly keyId?: string;
  readonly grantId?: string;
  readonly records?: number;
  readonly misses?: number;
  readonly unreviewed?: number;
}

/** The record of something that the service itself noticed or did. */
export function systemEntry(operation: string, facts: SystemFacts = {}): AuditEntry {
  const { teamId = null, keyId = null, grantId = null, ...counts } = facts;
  return systemRecord({ teamId, keyId, breakGlassId: grantId, operation, details: counts });
}
