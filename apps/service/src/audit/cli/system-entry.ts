import { userInfo } from 'node:os';
import type { AuditEntry } from '../audit-entry.ts';

/** A record of what someone did at this machine's command line, by their name on it. */
export function commandEntry(
  operation: string,
  details: Readonly<Record<string, string | number>>,
): AuditEntry {
  return {
    teamId: null,
    actorType: 'system',
    actorId: `command line: ${userName()}`,
    role: null,
    keyId: null,
    sessionId: null,
    operation,
    dataCategory: 'audit',
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
    details,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
