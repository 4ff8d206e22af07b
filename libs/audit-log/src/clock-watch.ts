import { CLOCK_STEP, type OwnRecord } from './record.ts';

const SMALLEST_STEP_MS = 2000;

/** Notices when the clock is set, by a clock that only grows. */
export class ClockWatch {
  #offset = readOffset();

  step(): OwnRecord | undefined {
    const now = readOffset();
    const milliseconds = Math.round(now - this.#offset);
    this.#offset = now;
    return Math.abs(milliseconds) < SMALLEST_STEP_MS
      ? undefined
      : { operation: CLOCK_STEP, details: { milliseconds } };
  }
}

function readOffset(): number {
  return Date.now() - performance.now();
}
