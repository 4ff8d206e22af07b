/** A token bucket, so that retries do not amplify an outage: at most `tokens + ratio × answered calls`. */
export class RetryBudget {
  readonly #most: number;
  readonly #ratio: number;
  #tokens: number;

  constructor(tokens: number, ratio: number) {
    this.#most = tokens;
    this.#ratio = ratio;
    this.#tokens = tokens;
  }

  /** Takes a token; false if the bucket is empty. */
  spend(): boolean {
    // Floating point: ten times 0.1 is slightly less than 1.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens = Math.max(0, this.#tokens - 1);
    return true;
  }

  earn(): void {
    this.#tokens = Math.min(this.#most, this.#tokens + this.#ratio);
  }
}
