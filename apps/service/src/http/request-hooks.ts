import { isUuid } from '@caregate/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendProblem } from '../problem/send-problem.ts';
import { malformedRequest } from './malformed-request.ts';
import type { RouteTable } from './route-table.ts';
import { SECURE_HEADERS } from './secure-headers.ts';

/** Headers of every response. Must be registered first. */
export function registerAnswerHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply
      .headers(SECURE_HEADERS)
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store');
    const client = request.headers['x-client-request-id'];
    if (typeof client === 'string' && isUuid(client)) {
      void reply.header('x-client-request-id', client);
    }
    reply.then = awaited;
    done();
  });
}

/**
 * Nest awaits a reply until its response is over, and every response waits for its record. Fastify's own way hangs six listeners on
 * the response for that, a tenth of the time of a short read.
 */
function awaited(this: FastifyReply, over: () => void): void {
  const { raw } = this;
  if (this.sent || raw.destroyed) {
    over();
    return;
  }
  raw.once('finish', over);
  // A client that disconnects; nobody is told, as there is nobody to send to.
  raw.once('close', over);
}

/** Rejects malformed requests and unknown routes, after the rate limits and before the guard. */
export function registerRequestChecks(fastify: FastifyInstance, routes: RouteTable): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const refusal =
      malformedRequest(request) ??
      (request.is404 ? routes.refusal(request.raw.url ?? '/') : undefined);
    if (refusal === undefined) {
      done();
      return;
    }
    void sendProblem(reply, refusal, request.id);
  });
}
