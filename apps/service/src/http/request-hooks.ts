import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestLimits } from '../auth/request-limits.ts';
import { getOperation } from '../auth/operation.decorator.ts';
import { AuditHook } from '../audit/audit-hook.ts';
import { hasDisconnected, RequestLog, RequestObserver } from './request-log.ts';
import { isProbe } from '../operations/operations.ts';
import { ProblemError, sendProblem } from '../problem/problem-error.ts';
import { beginRequestTrace, endRequestTrace, resumeRequestTrace } from '../trace/request-trace.ts';
import { ProblemFilter } from './problem.filter.ts';
import { findRequestProblem } from './raw-request.ts';
import type { RouteTable } from './route-table.ts';
import { SECURE_HEADERS } from './secure-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    timeout?: RequestTimeout;
  }
}

export interface HookSettings {
  readonly routes: RouteTable;
  readonly answerWithinMs: number;
  /** Time in milliseconds for requests in progress when the service is stopped. */
  readonly shutdownMs: number;
}

/**
 * Runs before and after the controller of every request. Fastify runs the hooks of a stage in the order in which they
 * are added here.
 */
@Injectable()
export class RequestHooks {
  #isClosing = false;

  constructor(
    private readonly audit: AuditHook,
    private readonly observer: RequestObserver,
    private readonly limits: RequestLimits,
    private readonly log: RequestLog,
    private readonly problems: ProblemFilter,
  ) {}

  register(fastify: FastifyInstance, { routes, answerWithinMs, shutdownMs }: HookSettings): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      setHeaders(request, reply);
      request.timeout = new RequestTimeout(request, reply, answerWithinMs);
      beginRequestTrace(request, done);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      const refusal = this.#isClosing ? createShutdownError() : this.#refuse(request, routes);
      if (refusal === undefined) {
        done();
      } else {
        void sendProblem(reply, refusal, request.id);
      }
    });
    fastify.addHook('preValidation', (request, _reply, done) => {
      resumeRequestTrace(request, done);
    });
    fastify.addHook('onSend', (request, reply, payload, done) => {
      request.timeout?.clear();
      this.audit.record(reply, payload, (error, answer) => {
        this.observer.onSend(reply);
        if (this.#isClosing) {
          // Otherwise, the shutdown would wait for connections of running requests.
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
      this.observer.onResponse(reply);
      done();
    });
    // Fastify's own 503 would bypass all hooks.
    fastify.addHook('preClose', (done) => {
      this.#isClosing = true;
      this.problems.isClosing = true;
      setTimeout(() => {
        fastify.server.closeAllConnections();
      }, shutdownMs).unref();
      done();
    });
    fastify.addHook('onClose', (_, done) => {
      this.log.flush();
      done();
    });
  }

  /** Refuses requests that reach no controller, so that the access guard can't count them. */
  #refuse(request: FastifyRequest, routes: RouteTable): ProblemError | undefined {
    const problem =
      findRequestProblem(request) ??
      (request.is404 ? routes.buildRefusal(request.raw.url ?? '/') : undefined);
    return problem === undefined || isProbe(getOperation(request))
      ? problem
      : (this.limits.refuseAddress(request.clientAddress) ?? problem);
  }
}

function createShutdownError(): ProblemError {
  const detail = 'This instance is shutting down.';
  return new ProblemError({ type: 'unavailable', detail, headers: { 'retry-after': '1' } });
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .headers(SECURE_HEADERS)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store');
}

/**
 * Sends 504 if no response is ready in time.
 * Fastify 5.12's `handlerTimeout` can't be used: it ends, and aborts `request.signal`, as soon as the body of a POST
 * is read.
 */
class RequestTimeout {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #timer: NodeJS.Timeout;
  #controller: AbortController | undefined;
  #isOver = false;

  constructor(request: FastifyRequest, reply: FastifyReply, withinMs: number) {
    this.#request = request;
    this.#reply = reply;
    this.#timer = setTimeout(() => {
      this.#expire();
    }, withinMs).unref();
  }

  /** Call it when the response is ready. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Aborted on disconnect or timeout. Created when first used, since few operations need it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#isOver || hasDisconnected(this.#request.raw)) {
        controller.abort();
      }
      const { raw } = this.#reply;
      raw.once('close', () => {
        if (!raw.writableFinished) {
          controller.abort();
        }
      });
    }
    return this.#controller.signal;
  }

  #expire(): void {
    this.#isOver = true;
    const error = new ProblemError({ type: 'timeout' });
    this.#controller?.abort(error);
    const { raw, sent } = this.#reply;
    if (sent || raw.destroyed) {
      return;
    }
    if (raw.headersSent) {
      raw.destroy(error);
    } else {
      void this.#reply.send(error);
    }
  }
}
