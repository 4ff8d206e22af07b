import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from './rate-limits.ts';
import { turns } from './turns.ts';

/**
 * Charges the time of the event loop to who is served: from `enter` until the next one, at most until the end of the loop's
 * turn. What waits for something calls `enter` again when it goes on.
 */
class LoopMeter {
  #charged: Account | undefined;
  #sinceMs = 0;
  #isEnding = false;

  enter(charged: Account | undefined): void {
    const nowMs = performance.now();
    this.#charged?.spend(nowMs - this.#sinceMs, 0, nowMs);
    this.#charged = charged;
    this.#sinceMs = nowMs;
    if (charged !== undefined && !this.#isEnding) {
      this.#isEnding = true;
      setImmediate(this.#end);
    }
  }

  /** Charges what comes after it to the same. */
  async through<Result>(waiting: Promise<Result>): Promise<Result> {
    const charged = this.#charged;
    try {
      return await waiting;
    } finally {
      this.enter(charged);
    }
  }

  /** Of long work: what waits has its turn, then it goes on and is charged to the same. */
  async pause(): Promise<void> {
    const charged = this.#charged;
    await (charged === undefined ? nextTurn() : turns.pause(charged));
    this.enter(charged);
  }

  readonly #end = (): void => {
    this.#isEnding = false;
    this.enter(undefined);
  };
}

/** Of the process, which has one event loop. */
export const loopMeter = new LoopMeter();
