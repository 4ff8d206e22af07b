/** Clients that are remembered at most; beyond, those that have waited longest are forgotten. */
const MAX_CLIENTS = 10_000;

/** How often each client may ask: `burst` requests at once, and one more each `everyMs`. */
export class RequestRate {
  readonly #burst: number;
  readonly #everyMs: number;
  /** By client, when all of its requests are paid for; those that asked last at the end. */
  readonly #paidAt = new Map<string, number>();

  constructor({ burst, everyMs }: { readonly burst: number; readonly everyMs: number }) {
    this.#burst = burst;
    this.#everyMs = everyMs;
  }

  /** Takes a request at this time, or returns after how many milliseconds the client may ask again. */
  take(client: string, nowMs: number): number {
    const paidAt = Math.max(nowMs, this.#paidAt.get(client) ?? nowMs) + this.#everyMs;
    const waitMs = paidAt - nowMs - this.#burst * this.#everyMs;
    if (waitMs > 0) {
      return waitMs;
    }
    this.#paidAt.delete(client);
    this.#paidAt.set(client, paidAt);
    if (this.#paidAt.size > MAX_CLIENTS) {
      const [oldest = ''] = this.#paidAt.keys();
      this.#paidAt.delete(oldest);
    }
    return 0;
  }
}
