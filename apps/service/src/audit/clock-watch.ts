import type { AuditEntry } from './audit-entry.ts';

const smallestStepMs = 2000;

/** Compares the wall clock, by which records are dated, with one that never jumps. */
export class ClockWatch {
  #offset = offset();

  /** The record of a step of more than two seconds since the last call, if there was one. */
  step(): AuditEntry | undefined {
    const now = offset();
    const milliseconds = Math.round(now - this.#offset);
    this.#offset = now;
    return Math.abs(milliseconds) < smallestStepMs ? undefined : clockStep(milliseconds);
  }
}

function offset(): number {
  return Date.now() - performance.now();
}

function clockStep(milliseconds: number): AuditEntry {
  return {
    teamId: null,
    actorType: 'system',
    actorId: null,
    role: null,
    keyId: null,
    sessionId: null,
    operation: 'clockStep',
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
    details: { milliseconds },
  };
}
