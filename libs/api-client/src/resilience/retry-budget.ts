/**
 * A token bucket, so that retries don't amplify an outage. It allows at most `tokens + ratio × successful calls`
 * retries.
 */
export class RetryBudget {
  readonly #maxTokens: number;
  readonly #ratio: number;
  #tokens: number;

  constructor(tokens: number, ratio: number) {
    this.#maxTokens = tokens;
    this.#ratio = ratio;
    this.#tokens = tokens;
  }

  /** Takes a token. Returns false if the bucket is empty. */
  spend(): boolean {
    // With floating point, ten times 0.1 is slightly less than 1.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens = Math.max(0, this.#tokens - 1);
    return true;
  }

  earn(): void {
    this.#tokens = Math.min(this.#maxTokens, this.#tokens + this.#ratio);
  }
}
