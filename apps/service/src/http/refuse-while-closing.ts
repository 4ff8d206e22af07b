import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { sendProblem } from '../problem/send-problem.ts';

/**
 * Rejects requests on open connections during shutdown; new connections are already refused. Replaces Fastify's own 503,
 * which bypasses all hooks. Responses during shutdown close their connection.
 */
export function refuseWhileClosing(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (closing) {
      const headers = { 'retry-after': '1' };
      void sendProblem(reply, new ProblemError({ type: 'unavailable', headers }), request.id);
      return;
    }
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) {
      // Also for requests that are already running: the shutdown would otherwise wait for their connections.
      reply.header('connection', 'close');
    }
    done(null, payload);
  });
}
