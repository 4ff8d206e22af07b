import type { AuditEntry } from './audit-entry.ts';
import { systemRecord } from './system-record.ts';

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
