/** Idle for this long, a pause of a tenth of a second disturbs nobody. */
const restAfterMs = 5000;

/**
 * Says once after each time of work that the desk rests. Then what is no longer shown leaves the memory: a page
 * that is left alone keeps it until it runs short, and whoever was at the desk last is still in it.
 */
export class RestClock {
  readonly #now: () => number;
  readonly #onRest: () => void;
  #activeAt: number;
  #rested = true;

  constructor(parts: { readonly now: () => number; readonly onRest: () => void }) {
    this.#now = parts.now;
    this.#onRest = parts.onRest;
    this.#activeAt = parts.now();
  }

  /** A key, a click, a move of the mouse. */
  active(): void {
    this.#activeAt = this.#now();
    this.#rested = false;
  }

  /** Something went away without anybody's doing, by a lock or a sign-out. */
  left(): void {
    this.#rested = false;
  }

  /** To be called about every second. */
  tick(): void {
    if (this.#rested || this.#now() - this.#activeAt < restAfterMs) return;
    this.#rested = true;
    this.#onRest();
  }
}
