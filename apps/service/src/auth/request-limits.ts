import type { FastifyRequest } from 'fastify';
import { LruMap } from 'toad-cache';
import { getNetwork } from '../http/client-address.ts';
import { type LimitName, ProblemError } from '../problem/problem-error.ts';
import type { Principal } from './caller.ts';

const MINUTE_MS = 60_000;
/** Maximum number of token buckets in memory. Beyond it, the least recently used one is dropped. */
const MAX_BUCKETS = 50_000;
/** Time in milliseconds after a request during which its API key or session counts as active. */
const ACTIVE_MS = 1000;

/** Token buckets by name. Each holds a minute's tokens and is refilled evenly. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #buckets = new LruMap<{ tokens: number; atMs: number }>(MAX_BUCKETS);

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /**
   * Takes a token. Returns 0, or the number of seconds until there is one.
   * @param nowMs time of a monotonic clock
   */
  take(name: string, nowMs = performance.now()): number {
    const tokensPerMs = this.#perMinute / MINUTE_MS;
    const bucket = this.#buckets.get(name) ?? { tokens: this.#perMinute, atMs: nowMs };
    const refilled = bucket.tokens + (nowMs - bucket.atMs) * tokensPerMs;
    bucket.tokens = Math.min(this.#perMinute, refilled);
    bucket.atMs = nowMs;
    this.#buckets.set(name, bucket);
    if (bucket.tokens < 1) {
      return Math.ceil((1 - bucket.tokens) / tokensPerMs / 1000);
    }
    bucket.tokens -= 1;
    return 0;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the API key or session to whose concurrent requests this one counts. */
    countedFor?: string | undefined;
    /** Lets the next list request of the same API key start. */
    endTurn?: (() => void) | undefined;
  }
}

interface Settings {
  readonly rateLimitPerKey: number;
  readonly concurrencyPerKey: number;
  readonly requestsPerAddress: number;
}

/** The time of the last request of an API key or session. */
interface LastRequest {
  readonly name: string;
  readonly atMs: number;
}

/** Limits requests by valid API key or session, and all others by client address. */
export class RequestLimits {
  readonly #settings: Settings;
  readonly #byKey: TokenBuckets;
  readonly #byAddress: TokenBuckets;
  readonly #inProgress = new Map<string, number>();
  /** For each API key or session, a promise that resolves when all its list requests have ended and rested. */
  readonly #listRequests = new Map<string, Promise<void>>();
  #last: LastRequest | undefined;
  #lastOther: LastRequest | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#byKey = new TokenBuckets(settings.rateLimitPerKey);
    this.#byAddress = new TokenBuckets(settings.requestsPerAddress);
  }

  /** Counts a request of a valid API key or session until `end`. @throws ProblemError 429 */
  begin(request: FastifyRequest, principal: Principal): void {
    const { rateLimitPerKey, concurrencyPerKey } = this.#settings;
    const name = principal.kind === 'key' ? principal.keyId : principal.sessionId;
    const inProgress = this.#inProgress.get(name) ?? 0;
    if (inProgress >= concurrencyPerKey) {
      const detail = `This API key or session may have ${concurrencyPerKey} requests in progress at a time (CAREGATE_CONCURRENCY_PER_KEY). Wait for an answer before you send the next one.`;
      throw createTooManyRequestsProblem('concurrency_per_key', 1, detail);
    }
    const seconds = this.#byKey.take(name);
    if (seconds > 0) {
      const detail = `This API key or session may send ${rateLimitPerKey} requests a minute (CAREGATE_RATE_LIMIT_PER_KEY). Retry after the number of seconds in the Retry-After header.`;
      throw createTooManyRequestsProblem('rate_per_key', seconds, detail);
    }
    this.#inProgress.set(name, inProgress + 1);
    request.countedFor = name;
    if (this.#last?.name !== name) {
      this.#lastOther = this.#last;
    }
    this.#last = { name, atMs: performance.now() };
  }

  /**
   * While other callers are active, list requests of one API key or session run one after another, each followed by
   * a rest as long as the request took: they get half of the only thread's time. Otherwise, 16 pages of 500 people at a
   * time would block it for 0.2 seconds. If there are no other callers, nothing waits, since parallel lists share
   * writes of the audit log.
   */
  async waitForListTurn(request: FastifyRequest): Promise<void> {
    const name = request.countedFor;
    if (name === undefined || !this.#isAnotherActive(name)) {
      return;
    }
    const before = this.#listRequests.get(name);
    let endTurn = (): void => undefined;
    const rested = new Promise<void>((resolve) => {
      endTurn = resolve;
    });
    // If the client gives up while it waits, its turn takes no time.
    request.endTurn = endTurn;
    const all = Promise.all([before, rested]).then(() => {
      if (this.#listRequests.get(name) === all) {
        this.#listRequests.delete(name);
      }
    });
    this.#listRequests.set(name, all);
    await before;
    const startMs = performance.now();
    request.endTurn = () => setTimeout(endTurn, performance.now() - startMs);
  }

  #isAnotherActive(name: string): boolean {
    const other = this.#last?.name === name ? this.#lastOther : this.#last;
    const isRecent = other !== undefined && performance.now() - other.atMs < ACTIVE_MS;
    return isRecent || this.#inProgress.size > 1;
  }

  end(request: FastifyRequest): void {
    const name = request.countedFor;
    if (name === undefined) {
      return;
    }
    request.countedFor = undefined;
    const others = (this.#inProgress.get(name) ?? 1) - 1;
    if (others === 0) {
      this.#inProgress.delete(name);
    } else {
      this.#inProgress.set(name, others);
    }
  }

  /** Counts a request without a valid API key or session. @returns the refusal if there are too many */
  refuseAddress(address: string): ProblemError | undefined {
    // In IPv6, a /64 network belongs to one client.
    const seconds = this.#byAddress.take(address.includes(':') ? getNetwork(address) : address);
    const detail = `This client address may send ${this.#settings.requestsPerAddress} requests a minute without a valid API key or session. Retry after the number of seconds in the Retry-After header.`;
    return seconds === 0
      ? undefined
      : createTooManyRequestsProblem('rate_per_address', seconds, detail);
  }
}

function createTooManyRequestsProblem(
  limit: LimitName,
  seconds: number,
  detail: string,
): ProblemError {
  const headers = { 'retry-after': String(seconds) };
  return new ProblemError({ type: 'too-many-requests', limit, detail, headers });
}
