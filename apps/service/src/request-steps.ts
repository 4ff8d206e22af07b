import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { bytesOf, UnreadAnswers } from './access/limits/rate-limits.ts';
import { loopMeter, turns } from './access/limits/turns.ts';
import { watchRead } from './access/limits/read-watch.ts';
import { AnswerRecorder } from './audit/http/record-answers.ts';
import { recordBytes } from './audit/http/team-records.ts';
import { Deadlines, RequestDeadline } from './http/deadlines.ts';
import { malformedRequest } from './http/raw-request.ts';
import type { RouteTable } from './http/route-table.ts';
import { beginRequestTrace, endRequestTrace, resumeRequestTrace } from './trace/request-trace.ts';
import { RequestObserver } from './observe/observe-requests.ts';
import { type RouteName, routeOfRequest } from './operations/operations.ts';
import { ProblemError, sendProblem } from './problem/problem-error.ts';
import type { ServiceParts } from './service-parts.ts';
import { isUuid } from '@caregate/domain';
import { SECURE_HEADERS } from './http/secure-headers.ts';

/** Whoever watches the service must see it while others wait. */
const PROBES: ReadonlySet<RouteName | 'none'> = new Set(['healthz', 'readyz', 'metrics']);

/** The steps of every request in their order, in one hook for each stage: a hook of its own for each would cost as much as most steps. */
export function registerRequestSteps(
  fastify: FastifyInstance,
  parts: ServiceParts,
  { routes, answerWithinMs }: { readonly routes: RouteTable; readonly answerWithinMs: number },
): void {
  const deadlines = new Deadlines(answerWithinMs);
  const unread = new UnreadAnswers();
  // Instead of Fastify's own 503, which bypasses all hooks.
  let isClosing = false;
  const recorder = new AnswerRecorder(parts);
  const observer = new RequestObserver(parts);

  fastify.addHook('onRequest', (request, reply, done) => {
    beginAnswer(request, reply);
    beginRequestTrace(request, routeOfRequest(request).pattern ?? 'none', () => {
      request.deadline = new RequestDeadline(request, reply);
      deadlines.add(request.deadline);
      const { account, refusal } = parts.budgets.check(request);
      const goOn = (problem: ProblemError | undefined): void => {
        if (problem === undefined) {
          loopMeter.enter(account);
          done();
        } else {
          void sendProblem(reply, problem, request.id);
        }
      };
      const known =
        refusal ??
        parts.teamRecords.refusal(account.team.id) ??
        (isClosing ? shuttingDown() : undefined) ??
        malformedRequest(request) ??
        (request.is404 ? routes.refusal(request.raw.url ?? '/') : undefined);
      if (known !== undefined || PROBES.has(routeOfRequest(request).operation)) {
        goOn(known);
      } else if (
        !turns.take(
          account,
          () => {
            // Answered while it waited: too late.
            if (!reply.sent) {
              // What came before it has used the budget meanwhile.
              goOn(account.refusal() ?? cutOff(request));
            }
          },
          parts.limits.waitingRequests,
        )
      ) {
        goOn(new ProblemError({ type: 'unavailable', headers: { 'retry-after': '1' } }));
      }
    });
  });

  fastify.addHook('preValidation', (request, _reply, done) => {
    loopMeter.enter(request.account);
    resumeRequestTrace(request, done);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    watchRead(parts.readWatch, request, reply.statusCode);
    recorder.record(reply, payload, (error, answer) => {
      if (request.deadline !== undefined) {
        deadlines.met(request.deadline);
      }
      observer.sending(reply);
      if (isClosing) {
        // Otherwise the shutdown would wait for connections of running requests.
        reply.header('connection', 'close');
      }
      request.account?.spend(0, bytesOf(answer) + recordBytesOf(request));
      unread.sending(request, answer);
      if (error === null) {
        done(null, answer);
      } else {
        done(error);
      }
    });
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    endRequestTrace(request, reply.statusCode);
    unread.read(request);
    observer.sent(reply);
    done();
  });

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

/** Of a sender who left while it waited: Fastify would wait for the rest of the body, and nothing would tell of the request. */
function cutOff({ raw }: FastifyRequest): ProblemError | undefined {
  return raw.destroyed && !raw.complete
    ? new ProblemError({ type: 'malformed-request' })
    : undefined;
}

function recordBytesOf({ caller, disclosure }: FastifyRequest): number {
  return caller === undefined ? 0 : recordBytes(disclosure?.patients.length ?? 0);
}

/** Must be the first step. */
function beginAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .headers(SECURE_HEADERS)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store');
  const client = request.headers['x-client-request-id'];
  if (typeof client === 'string' && isUuid(client)) {
    void reply.header('x-client-request-id', client);
  }
  reply.then = awaited;
}

/** Nest awaits each reply. Fastify's own `then` adds six listeners, a tenth of the time of a short read. */
function awaited(this: FastifyReply, over: () => void): void {
  const { raw } = this;
  if (this.sent || raw.destroyed) {
    over();
    return;
  }
  raw.once('finish', over);
  raw.once('close', over);
}
