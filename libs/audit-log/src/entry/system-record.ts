import type { AuditEntry } from './audit-entry.ts';

export function systemRecord(
  fields: Pick<AuditEntry, 'operation'> & Partial<AuditEntry>,
): AuditEntry {
  return {
    teamId: null,
    actorType: 'system',
    actorId: null,
    role: null,
    keyId: null,
    sessionId: null,
    dataCategory: null,
    decision: 'allowed',
    reasonCode: null,
    httpStatus: null,
    purposeOfUse: null,
    breakGlassId: null,
    orderId: null,
    recordCount: null,
    requestId: null,
    clientIp: null,
    deviceId: null,
    policyVersion: null,
    patients: [],
    ...fields,
  };
}
