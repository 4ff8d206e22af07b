import type { Clock } from '../src/resilience/clock.ts';

/** A clock whose time only moves when a test advances it, with random numbers that the test sets. */
export class FakeClock implements Clock {
  time = 0;
  chance: () => number = () => 0.5;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  random(): number {
    return this.chance();
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Advances the time, runs the timers that are due in order, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const next = this.#next();
      if (next === undefined || next.at > end) break;
      this.#fire(next);
    }
    this.time = end;
  }

  /** Advances from timer to timer until the promise settles. */
  async finish<T>(promise: Promise<T>): Promise<T> {
    const call = { open: true };
    promise
      .catch(() => undefined)
      .finally(() => {
        call.open = false;
      });
    for (;;) {
      await settled();
      const next = this.#next();
      // The promise waits for a real server, not for a timer of this clock.
      if (!call.open || next === undefined) return promise;
      this.#fire(next);
    }
  }

  #next(): { at: number; run: () => void } | undefined {
    return this.#timers.toSorted((a, b) => a.at - b.at)[0];
  }

  #fire(timer: { at: number; run: () => void }): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
    this.time = Math.max(this.time, timer.at);
    timer.run();
  }
}

/** Resolves after all pending promise callbacks. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
