import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { operationOfRoute } from '../openapi/operations.ts';
import type { Metrics } from './metrics.ts';

/**
 * Logs and measures each request when its answer is out, refused ones included. The log has the route's pattern, never
 * the address: that holds ids. Nor does it have the label or secret of a key, only its public id.
 */
export function observeRequests(
  fastify: FastifyInstance,
  parts: { readonly logger: Logger; readonly metrics: Metrics },
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    const status = reply.statusCode;
    const milliseconds = reply.elapsedTime;
    parts.metrics.requestDone(operationOfRoute(route), status, milliseconds / 1000);
    parts.logger[status >= 500 ? 'error' : 'info'](
      {
        method: request.method,
        route: route ?? null,
        status,
        duration_ms: Math.round(milliseconds * 1000) / 1000,
        request_id: request.id,
        team_id: request.principal?.teamId,
        key_id: request.principal?.keyId,
      },
      'request',
    );
    done();
  });
}
