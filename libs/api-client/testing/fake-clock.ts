import type { Clock } from '../src/resilience/clock.ts';

/** Time that moves only when told, and chance as a test sets it. */
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

  /** Runs what is due within so many milliseconds, in order, letting promises go on in between. */
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

  /** Moves from timer to timer until the promise is settled. */
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
      // A real server's answer is not a timer of this clock.
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

/** All that promises have to do is done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
