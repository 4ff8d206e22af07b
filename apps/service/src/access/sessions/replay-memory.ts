/** A proof may be dated a minute ahead, and is valid for a minute. */
const KEPT_MS = 121_000;
const MOST = 200_000;

/** Remembers names for two to four minutes; refuses when full, rather than forget. */
export class ReplayMemory {
  readonly #now: () => number;
  readonly #most: number;
  #current = new Set<string>();
  #previous = new Set<string>();
  #sinceMs: number;

  /** @param now a monotonic clock */
  constructor(now: () => number = () => performance.now(), most = MOST) {
    this.#now = now;
    this.#most = most;
    this.#sinceMs = now();
  }

  /** `full`: replay can't be ruled out: reject. */
  use(name: string): 'new' | 'used' | 'full' {
    this.#turn();
    if (this.#current.has(name) || this.#previous.has(name)) {
      return 'used';
    }
    if (this.#current.size + this.#previous.size >= this.#most) {
      return 'full';
    }
    this.#current.add(name);
    return 'new';
  }

  #turn(): void {
    const elapsed = this.#now() - this.#sinceMs;
    if (elapsed < KEPT_MS) {
      return;
    }
    this.#previous = elapsed < 2 * KEPT_MS ? this.#current : new Set();
    this.#current = new Set();
    this.#sinceMs = this.#now();
  }
}
