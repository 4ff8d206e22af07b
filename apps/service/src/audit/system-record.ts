import { userInfo } from 'node:os';
import type { AuditEntry } from './audit-entry.ts';

/** A record of a system event; fields that are not given are null. */
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

/** Ids of teams, keys and grants, and counts; no data about patients. */
export interface SystemFacts {
  readonly teamId?: string;
  readonly keyId?: string;
  readonly grantId?: string;
  readonly records?: number;
  readonly misses?: number;
  readonly unreviewed?: number;
}

/** The audit entry of an event of the service itself. */
export function systemEntry(operation: string, facts: SystemFacts = {}): AuditEntry {
  const { teamId = null, keyId = null, grantId = null, ...counts } = facts;
  return systemRecord({ teamId, keyId, breakGlassId: grantId, operation, details: counts });
}

/** A record of a command, with the user name on this machine. */
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

/** Detects changes of the wall clock, which dates records, by comparing it with a monotonic clock. */
export class ClockWatch {
  #offset = offset();

  /** A record if the clock changed by more than two seconds since the last call. */
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
