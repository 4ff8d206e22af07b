import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { addressPrefix } from '../../http/address-prefix.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { sendProblem } from '../../problem/send-problem.ts';
import { parseKey, presentedKey } from '../keys/key-format.ts';

const minuteMs = 60_000;
/** Maximum number of tracked addresses and keys (LRU). */
const remembered = 50_000;

/**
 * Limits all requests, including those to unknown paths, by address (IPv6 by /64) and by key, before anything is looked up.
 * Responses carry no counters, which would differ between otherwise identical 404s.
 *
 * Keys are counted as sent, not by id: ids are in logs, and someone who has seen one could use up the limit of its owner.
 */
export async function registerRateLimits(
  fastify: FastifyInstance,
  config: Pick<ServiceConfig, 'rateLimitPerKey' | 'rateLimitPerAddress'>,
): Promise<void> {
  await fastify.register(rateLimit, { global: false });
  const shared = { timeWindow: minuteMs, cache: remembered };
  const byAddress = fastify.createRateLimit({
    ...shared,
    max: config.rateLimitPerAddress,
    keyGenerator: ({ clientAddress }) => addressBlock(clientAddress),
  });
  const byKey = fastify.createRateLimit({
    ...shared,
    max: config.rateLimitPerKey,
    keyGenerator: (request) => keyDigest(request) ?? '',
    allowList: (_request, key) => key === '',
  });

  // Not an async hook: after a disconnect, Fastify would treat one that has responded as one that continues.
  fastify.addHook('onRequest', (request, reply, done) => {
    secondsToWait(request, [byAddress, byKey]).then((seconds) => {
      if (seconds === undefined) {
        done();
      } else {
        refuse(request, reply, seconds);
      }
    }, done);
  });
}

type Limit = ReturnType<FastifyInstance['createRateLimit']>;

/** Seconds until the first exceeded limit is reset; `undefined` if none is exceeded. */
async function secondsToWait(
  request: FastifyRequest,
  limits: readonly Limit[],
): Promise<number | undefined> {
  for (const limit of limits) {
    const count = await limit(request);
    if (!count.isAllowed && count.isExceeded) {
      return Math.max(1, count.ttlInSeconds);
    }
  }
  return undefined;
}

function refuse(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const headers = { 'retry-after': String(seconds) };
  void sendProblem(reply, new ProblemError({ type: 'too-many-requests', headers }), request.id);
}

/** An IPv4 address, or a /64 network of IPv6, which belongs to one client. */
function addressBlock(address: string): string {
  return isIPv6(address) ? addressPrefix(address) : address;
}

/** Digest of a well-formed key; other requests are only limited by address. */
function keyDigest(request: FastifyRequest): string | undefined {
  const presented = presentedKey(request.raw.rawHeaders);
  return typeof presented === 'object' && parseKey(presented.key) !== undefined
    ? hash('sha256', presented.key, 'base64')
    : undefined;
}
