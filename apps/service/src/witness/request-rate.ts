const MAX_CLIENTS = 10_000;

/** Allows each client `burst` requests at once, and one more each `everyMs`. */
export class RequestRate {
  readonly #burst: number;
  readonly #everyMs: number;
  /** When all requests of a client are paid for; in order of the last request. */
  readonly #paidAt = new Map<string, number>();

  constructor({ burst, everyMs }: { readonly burst: number; readonly everyMs: number }) {
    this.#burst = burst;
    this.#everyMs = everyMs;
  }

  /** Takes a request, or returns the milliseconds to wait. */
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
