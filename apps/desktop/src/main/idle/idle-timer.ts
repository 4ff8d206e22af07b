/** After so long without activity, a pause of a tenth of a second disturbs nobody. */
const idleAfterMs = 5000;

/**
 * Calls back once after each time of activity. Memory is freed then: a page that is left alone keeps what it no longer
 * shows until memory runs short, and whoever was at the desk last is still in it.
 */
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

  /** A key, a click, a move of the mouse. */
  active(): void {
    this.#activeAt = this.#now();
    this.#isIdle = false;
  }

  /** Calls back once more: a lock or a sign-out left something to free without anybody's activity. */
  rearm(): void {
    this.#isIdle = false;
  }

  /** To be called about every second. */
  tick(): void {
    if (this.#isIdle || this.#now() - this.#activeAt < idleAfterMs) return;
    this.#isIdle = true;
    this.#onIdle();
  }
}
