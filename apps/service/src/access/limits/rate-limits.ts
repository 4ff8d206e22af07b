import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../../config/service-config.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { sendProblem } from '../../problem/send-problem.ts';
import { parseKey } from '../keys/key-format.ts';
import { presentedKey } from '../keys/presented-key.ts';

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
  const byAddress = fastify.createRateLimit({ ...shared, max: config.rateLimitPerAddress });
  const byKey = fastify.createRateLimit({
    ...shared,
    max: config.rateLimitPerKey,
    keyGenerator: (request) => keyDigest(request) ?? '',
    allowList: (_request, key) => key === '',
  });

  fastify.addHook('onRequest', async (request, reply) => {
    for (const limit of [byAddress, byKey]) {
      const count = await limit(request);
      if (!count.isAllowed && count.isExceeded) {
        return tooMany(request, reply, count.ttlInSeconds);
      }
    }
    return undefined;
  });
}

function tooMany(request: FastifyRequest, reply: FastifyReply, seconds: number): FastifyReply {
  const problem = new ProblemError({
    type: 'too-many-requests',
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
  return sendProblem(reply, problem, request.id);
}

/** Of a key whose form and checksum are right; anything else counts by its address alone. */
function keyDigest(request: FastifyRequest): string | undefined {
  const presented = presentedKey(request.raw.rawHeaders);
  return typeof presented === 'object' && parseKey(presented.key) !== undefined
    ? hash('sha256', presented.key, 'base64')
    : undefined;
}
