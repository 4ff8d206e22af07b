import type { FastifyRequest } from 'fastify';
import { LruMap } from 'toad-cache';
import type { ServiceConfig } from '../../config/service-config.ts';
import type { ProblemError } from '../../problem/problem-error.ts';
import { keyOfRequest } from '../keys/key-format.ts';
import { sessionOfRequest } from '../sessions/session-token.ts';
import { addressBlock, tooManyRequests, type Account, type Budgets } from './budgets.ts';
import { loopMeter } from './loop-meter.ts';

const minuteMs = 60_000;
/** Of addresses (LRU). */
const remembered = 50_000;

/**
 * By address (IPv6 by /64) and by the budget of key or session and their team, before any lookup. Responses carry no counters,
 * which would tell 404s apart.
 */
export class RateLimits {
  readonly #byAddress: RateLimit;
  readonly #budgets: Budgets;

  constructor(
    { rateLimitPerAddress }: Pick<ServiceConfig, 'rateLimitPerAddress'>,
    budgets: Budgets,
  ) {
    this.#byAddress = new RateLimit(rateLimitPerAddress);
    this.#budgets = budgets;
  }

  check(request: FastifyRequest): { account: Account; refusal: ProblemError | undefined } {
    // What was served before has spent what it took until now.
    loopMeter.enter(undefined);
    request.presentedKey = keyOfRequest(request.raw.rawHeaders, request.raw.socket);
    request.presentedSession = sessionOfRequest(request.raw);
    const account = this.#budgets.accountOf(request);
    request.account = account;
    const seconds = this.#byAddress.count(addressBlock(request.clientAddress));
    const refusal = seconds === undefined ? account.refusal() : tooManyRequests(seconds);
    return { account, refusal };
  }
}

/** At most `max` in a minute that begins with the first request. */
class RateLimit {
  readonly #max: number;
  readonly #minutes = new LruMap<{ count: number; readonly endsMs: number }>(remembered);

  constructor(max: number) {
    this.#max = max;
  }

  /** Seconds until the limit is reset; undefined if it is not exceeded. */
  count(name: string): number | undefined {
    // Monotonic: a step of the wall clock would shorten or extend a minute.
    const nowMs = performance.now();
    let minute = this.#minutes.get(name);
    if (minute === undefined || minute.endsMs <= nowMs) {
      minute = { count: 0, endsMs: nowMs + minuteMs };
      this.#minutes.set(name, minute);
    }
    minute.count += 1;
    return minute.count > this.#max ? Math.ceil((minute.endsMs - nowMs) / 1000) : undefined;
  }
}
