import type { FastifyInstance } from 'fastify';
import { RateLimits } from './access/limits/rate-limits.ts';
import { watchRead } from './access/limits/read-watch.ts';
import { AnswerRecorder } from './audit/http/record-answers.ts';
import { Deadlines } from './http/deadlines.ts';
import { malformedRequest } from './http/malformed-request.ts';
import { RequestDeadline } from './http/request-deadline.ts';
import { beginAnswer, Closing } from './http/request-hooks.ts';
import type { RouteTable } from './http/route-table.ts';
import { beginRequestTrace, endRequestTrace, resumeRequestTrace } from './http/trace-requests.ts';
import { RequestObserver } from './observe/observe-requests.ts';
import { routeOfRequest } from './operations/route-of-request.ts';
import { sendProblem } from './problem/send-problem.ts';
import type { ServiceParts } from './service-parts.ts';

/** The steps of every request in their order, in one hook for each stage: a hook of its own for each would cost as much as most steps. */
export function registerRequestSteps(
  fastify: FastifyInstance,
  parts: ServiceParts,
  { routes, answerWithinMs }: { readonly routes: RouteTable; readonly answerWithinMs: number },
): void {
  const deadlines = new Deadlines(answerWithinMs);
  const limits = new RateLimits(parts.config);
  const closing = new Closing();
  const recorder = new AnswerRecorder(parts);
  const observer = new RequestObserver(parts);

  fastify.addHook('onRequest', (request, reply, done) => {
    beginAnswer(request, reply);
    beginRequestTrace(request, routeOfRequest(request).pattern ?? 'none', () => {
      request.deadline = new RequestDeadline(request, reply);
      deadlines.add(request.deadline);
      const refusal =
        limits.refusal(request) ??
        closing.refusal() ??
        malformedRequest(request) ??
        (request.is404 ? routes.refusal(request.raw.url ?? '/') : undefined);
      if (refusal === undefined) {
        done();
      } else {
        void sendProblem(reply, refusal, request.id);
      }
    });
  });

  fastify.addHook('preValidation', (request, _reply, done) => {
    resumeRequestTrace(request, done);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    watchRead(parts.readWatch, request, reply.statusCode);
    recorder.record(reply, payload, (error, answer) => {
      if (request.deadline !== undefined) {
        deadlines.met(request.deadline);
      }
      observer.sending(reply);
      closing.mark(reply);
      if (error === null) {
        done(null, answer);
      } else {
        done(error);
      }
    });
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    endRequestTrace(request, reply.statusCode);
    observer.sent(reply);
    done();
  });

  fastify.addHook('preClose', (done) => {
    closing.begin();
    done();
  });

  fastify.addHook('onClose', (_, done) => {
    parts.requestLog.flush();
    done();
  });
}
