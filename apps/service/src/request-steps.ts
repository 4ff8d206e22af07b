import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerRecorder } from './audit/http/record-answers.ts';
import { malformedRequest } from './http/raw-request.ts';
import { RequestTimeout } from './http/request-timeout.ts';
import type { RouteTable } from './http/route-table.ts';
import { beginRequestTrace, endRequestTrace, resumeRequestTrace } from './trace/request-trace.ts';
import { RequestObserver } from './observe/observe-requests.ts';
import { routeOfRequest } from './operations/operations.ts';
import { isProbe } from './operations/public-routes.ts';
import { ProblemError, sendProblem } from './problem/problem-error.ts';
import type { ServiceParts } from './service-parts.ts';
import { isUuid } from '@caregate/domain';
import { SECURE_HEADERS } from './http/secure-headers.ts';

/** Registers the hooks of every request. Fastify runs those of a stage in the order in which they are added. */
export function registerRequestSteps(
  fastify: FastifyInstance,
  parts: ServiceParts,
  { routes, answerWithinMs }: { readonly routes: RouteTable; readonly answerWithinMs: number },
): void {
  const recorder = new AnswerRecorder(parts);
  const observer = new RequestObserver(parts);
  let isClosing = false;

  fastify.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    request.timeout = new RequestTimeout(request, reply, answerWithinMs);
    beginRequestTrace(request, routeOfRequest(request).pattern ?? 'none', done);
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    const refusal = isClosing ? shuttingDown() : refuse(request);
    if (refusal === undefined) {
      done();
    } else {
      void sendProblem(reply, refusal, request.id);
    }
  });

  /** Refuses requests that no controller will see, which the access guard can't count. */
  function refuse(request: FastifyRequest): ProblemError | undefined {
    const problem =
      malformedRequest(request) ??
      (request.is404 ? routes.refusal(request.raw.url ?? '/') : undefined);
    return problem === undefined || isProbe(routeOfRequest(request).operation)
      ? problem
      : (parts.requestLimits.refuseAddress(request.clientAddress) ?? problem);
  }

  fastify.addHook('preValidation', (request, _reply, done) => {
    resumeRequestTrace(request, done);
  });

  // The only `onSend` hook: the record must be of what is sent.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    recorder.record(reply, payload, (error, answer) => {
      request.timeout?.clear();
      observer.sending(reply);
      if (isClosing) {
        // Otherwise the shutdown would wait for connections of running requests.
        reply.header('connection', 'close');
      }
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

  // Fastify's own 503 would bypass all hooks.
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });

  fastify.addHook('onClose', (_, done) => {
    parts.requestLog.flush();
    done();
  });
}

function shuttingDown(): ProblemError {
  const detail = 'This instance is shutting down.';
  return new ProblemError({ type: 'unavailable', detail, headers: { 'retry-after': '1' } });
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .headers(SECURE_HEADERS)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store');
  const client = request.headers['x-client-request-id'];
  if (typeof client === 'string' && isUuid(client)) {
    void reply.header('x-client-request-id', client);
  }
}
