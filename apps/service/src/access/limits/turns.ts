import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from './rate-limits.ts';

/** Of one turn of the event loop; then it looks what else has come. */
const SLICE_MS = 1;
const AT_ONCE = 16;

type Run = () => void;

/** Runs requests at once while the event loop has time, otherwise by team, then by key: many of one wait for each other. */
export class Turns {
  readonly #now: () => number;
  readonly #waiting = new Map<object, Map<Account, Run[]>>();
  #count = 0;
  /** Undefined: begins with its first request. */
  #sliceEndsMs: number | undefined;
  #isSliced = false;
  /** More requests may come before the one that runs has done anything. */
  #hasJustBegun = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** False: `most` are waiting. */
  take(account: Account, run: Run, most: number): boolean {
    if (this.#count === 0 && !this.#hasJustBegun && this.#hasTime()) {
      this.#begin(run);
      return true;
    }
    if (this.#count >= most) {
      return false;
    }
    const { team } = account;
    const ofTeam = this.#waiting.get(team) ?? new Map<Account, Run[]>();
    const ofAccount = ofTeam.get(account) ?? [];
    ofAccount.push(run);
    this.#waiting.set(team, ofTeam.set(account, ofAccount));
    this.#count += 1;
    return true;
  }

  /** Resolves when what goes on has its turn, as if it had just come. */
  pause(account: Account): Promise<void> {
    return new Promise((resolve) => {
      this.take(account, resolve, Infinity);
    });
  }

  #hasTime(): boolean {
    const nowMs = this.#now();
    if (!this.#isSliced) {
      this.#isSliced = true;
      this.#sliceEndsMs = undefined;
      setImmediate(this.#nextSlice);
    }
    return nowMs < (this.#sliceEndsMs ??= nowMs + SLICE_MS);
  }

  #begin(run: Run): void {
    this.#hasJustBegun = true;
    queueMicrotask(this.#hasBegun);
    run();
  }

  readonly #hasBegun = (): void => {
    this.#hasJustBegun = false;
  };

  readonly #nextSlice = (): void => {
    if (this.#count === 0) {
      this.#isSliced = false;
      return;
    }
    this.#sliceEndsMs = undefined;
    // Each is over before the next one: together they would take their steps in turns.
    for (let count = Math.min(AT_ONCE, this.#count); count > 0; count -= 1) {
      setImmediate(this.#runNext);
    }
    setImmediate(this.#nextSlice);
  };

  readonly #runNext = (): void => {
    if (this.#hasTime()) {
      this.#next()?.();
    }
  };

  #next(): Run | undefined {
    for (const [team, accounts] of this.#waiting) {
      this.#waiting.delete(team);
      for (const [account, runs] of accounts) {
        accounts.delete(account);
        const run = runs.shift();
        if (runs.length > 0) {
          accounts.set(account, runs);
        }
        if (accounts.size > 0) {
          this.#waiting.set(team, accounts);
        }
        this.#count -= 1;
        return run;
      }
    }
    return undefined;
  }
}

export const turns = new Turns();

/** Charges time from `enter` to the next one or the end of the loop's turn. What has waited must call `enter` again. */
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

export const loopMeter = new LoopMeter();
