import type { FastifyRequest } from 'fastify';
import { LruMap } from 'toad-cache';
import { addressPrefix } from '../../http/address/address-prefix.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { keyOfRequest, type KeyOfRequest } from '../keys/key-format.ts';
import { sessionOfRequest } from '../sessions/session-token.ts';

const minuteMs = 60_000;
/** Of addresses and keys (LRU). */
const remembered = 50_000;

/**
 * By address (IPv6 by /64) and by key or session, before any lookup. Responses carry no counters, which would tell 404s
 * apart. Keys count as sent, not by id: ids are in logs, and must not let others use up a limit.
 */
export class RateLimits {
  readonly #byAddress: RateLimit;
  readonly #byKey: RateLimit;

  constructor(config: Pick<ServiceConfig, 'rateLimitPerKey' | 'rateLimitPerAddress'>) {
    this.#byAddress = new RateLimit(config.rateLimitPerAddress);
    this.#byKey = new RateLimit(config.rateLimitPerKey);
  }

  refusal(request: FastifyRequest): ProblemError | undefined {
    request.presentedKey = keyOfRequest(request.raw.rawHeaders, request.raw.socket);
    request.presentedSession = sessionOfRequest(request.raw);
    const seconds =
      this.#byAddress.count(addressBlock(request.clientAddress)) ??
      countKey(this.#byKey, request.presentedKey) ??
      countSession(this.#byKey, request.presentedSession);
    return seconds === undefined
      ? undefined
      : new ProblemError({
          type: 'too-many-requests',
          headers: { 'retry-after': String(seconds) },
        });
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

/** Malformed keys are limited by address only. */
function countKey(limit: RateLimit, key: KeyOfRequest): number | undefined {
  return typeof key === 'object' && 'keyId' in key ? limit.count(key.name) : undefined;
}

function countSession(
  limit: RateLimit,
  session: NonNullable<FastifyRequest['presentedSession']>,
): number | undefined {
  if (typeof session === 'string' || session.token === undefined) {
    return undefined;
  }
  const { tokenId, secretHash } = session.token;
  return limit.count(`session ${tokenId}${secretHash.toString('latin1')}`);
}

/** A /64 network of IPv6 belongs to one client. */
function addressBlock(address: string): string {
  return address.includes(':') ? addressPrefix(address) : address;
}
