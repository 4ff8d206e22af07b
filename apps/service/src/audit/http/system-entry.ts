import type { AuditEntry } from '../audit-entry.ts';

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
  const { teamId, keyId, grantId, ...counts } = facts;
  return {
    teamId: teamId ?? null,
    actorType: 'system',
    actorId: null,
    role: null,
    keyId: keyId ?? null,
    sessionId: null,
    operation,
    dataCategory: null,
    decision: 'allowed',
    reasonCode: null,
    httpStatus: null,
    purposeOfUse: null,
    breakGlassId: grantId ?? null,
    orderId: null,
    recordCount: null,
    requestId: null,
    clientIp: null,
    deviceId: null,
    policyVersion: null,
    patients: [],
    details: { ...counts },
  };
}
