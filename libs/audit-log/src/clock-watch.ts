import { CLOCK_STEP, type OwnRecord } from './record.ts';

const SMALLEST_STEP_MS = 2000;

/** Notices when the clock is set, by a clock that only grows. */
export class ClockWatch {
  #offset: number;

  /** @param lastTimeMs of the newest record: the clock was set back if it is behind that */
  constructor(lastTimeMs: number) {
    this.#offset = Math.max(readOffset(), lastTimeMs - performance.now());
  }

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
