import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { sendProblem } from '../problem/send-problem.ts';

/**
 * Refuses what comes over connections that are still open once the service closes; new ones are refused by then. In the
 * place of Fastify's own 503, which passes by every hook. Every answer that leaves from then on ends its connection.
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
      // Also of a request that ran already: closing would wait for its connection as long as for a running one.
      reply.header('connection', 'close');
    }
    done(null, payload);
  });
}
