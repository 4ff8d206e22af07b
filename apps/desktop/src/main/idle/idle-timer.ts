/** After 5 s without input, a pause of 100 ms disturbs nobody. */
const idleAfterMs = 5000;

/** Calls back once after each period of activity, to free memory: an idle page keeps what it no longer shows. */
export class IdleTimer {
  readonly #now: () => number;
  readonly #onIdle: () => void;
  #activeAt: number;
  #isIdle = true;

  constructor(parts: { readonly now: () => number; readonly onIdle: () => void }) {
    this.#now = parts.now;
    this.#onIdle = parts.onIdle;
    this.#activeAt = parts.now();
  }

  active(): void {
    this.#activeAt = this.#now();
    this.#isIdle = false;
  }

  /** Call after a lock or a sign-out, which leave memory to free. */
  rearm(): void {
    this.#isIdle = false;
  }

  tick(): void {
    if (this.#isIdle || this.#now() - this.#activeAt < idleAfterMs) return;
    this.#isIdle = true;
    this.#onIdle();
  }
}
