import type { FastifyInstance } from 'fastify';
import type { ServiceConfig } from '../config/service-config.ts';
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
    done();
  });
}

/** Rejects malformed requests and unknown routes, after the rate limits and before the guard. */
export function registerRequestChecks(
  fastify: FastifyInstance,
  routes: RouteTable,
  config: Pick<ServiceConfig, 'maxParamLength'>,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const refusal =
      malformedRequest(request, config.maxParamLength) ??
      (request.is404 ? routes.refusal(request.raw.url ?? '/') : undefined);
    if (refusal === undefined) {
      done();
      return;
    }
    void sendProblem(reply, refusal, request.id);
  });
}
