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
/** Addresses and keys remembered; the longest unseen is forgotten first. */
const remembered = 50_000;

/**
 * Counts every request, also to paths that do not exist, by address (IPv6 by /64) and by key; before anything is looked
 * up. The answers carry no counters: those would differ between two otherwise identical 404s.
 *
 * A key counts as it was sent, not by its key id: ids stand in logs, and whoever had read one there could use up the
 * requests of its owner.
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

  // Not an async hook: where the sender has gone, Fastify would take one that answered for one that lets pass.
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

/** How long until the first of the limits that is used up; `undefined` where none is. */
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

/** One sender: an IPv4 address, or a /64 of IPv6, whose owner has all 2^64 of its addresses. */
function addressBlock(address: string): string {
  return isIPv6(address) ? addressPrefix(address) : address;
}

/** Of a key whose form and checksum are right; anything else counts by its address alone. */
function keyDigest(request: FastifyRequest): string | undefined {
  const presented = presentedKey(request.raw.rawHeaders);
  return typeof presented === 'object' && parseKey(presented.key) !== undefined
    ? hash('sha256', presented.key, 'base64')
    : undefined;
}
