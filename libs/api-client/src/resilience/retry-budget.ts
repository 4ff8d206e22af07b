/**
 * A bucket of tokens that extra requests (retries and hedges) are paid from, and that answered calls refill a little,
 * so that an outage is not multiplied: never more extra requests than `tokens + ratio × answered calls`.
 */
export class RetryBudget {
  readonly #most: number;
  readonly #ratio: number;
  #tokens: number;

  constructor(tokens: number, ratio: number) {
    this.#most = tokens;
    this.#ratio = ratio;
    this.#tokens = tokens;
  }

  /** False where the bucket is empty; nothing extra may be sent then. */
  spend(): boolean {
    // Ten times 0.1 is a little less than 1.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens = Math.max(0, this.#tokens - 1);
    return true;
  }

  earn(): void {
    this.#tokens = Math.min(this.#most, this.#tokens + this.#ratio);
  }
}
