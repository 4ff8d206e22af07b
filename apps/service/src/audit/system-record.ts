import { userInfo } from 'node:os';
import type { AuditEntry } from './audit-entry.ts';

/** A record of what no caller of the service asked for; what it does not say is null. */
function systemRecord(said: Pick<AuditEntry, 'operation'> & Partial<AuditEntry>): AuditEntry {
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
    ...said,
  };
}

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

/** A record of what someone did at this machine's command line, by their name on it. */
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

const smallestStepMs = 2000;

/** Compares the wall clock, by which records are dated, with one that never jumps. */
export class ClockWatch {
  #offset = offset();

  /** The record of a step of more than two seconds since the last call, if there was one. */
  step(): AuditEntry | undefined {
    const now = offset();
    const milliseconds = Math.round(now - this.#offset);
    this.#offset = now;
    return Math.abs(milliseconds) < smallestStepMs
      ? undefined
      : systemRecord({ operation: 'clockStep', details: { milliseconds } });
  }
}

function offset(): number {
  return Date.now() - performance.now();
}
