import type { AuditEntry } from '../entry/audit-entry.ts';
import { systemRecord } from '../entry/system-record.ts';

const smallestStepMs = 2000;

/** Detects changes of the wall clock against a monotonic clock. */
export class ClockWatch {
  #offset = offset();

  /** A record if the clock changed by more than two seconds. */
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
