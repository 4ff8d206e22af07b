import { CLOCK_STEP, ownText } from '../entry/record-text.ts';

const smallestStepMs = 2000;

/** Detects changes of the wall clock against a monotonic clock. */
export class ClockWatch {
  #offset = offset();

  step(): string | undefined {
    const now = offset();
    const milliseconds = Math.round(now - this.#offset);
    this.#offset = now;
    return Math.abs(milliseconds) < smallestStepMs
      ? undefined
      : ownText({ operation: CLOCK_STEP, details: { milliseconds } });
  }
}

function offset(): number {
  return Date.now() - performance.now();
}
