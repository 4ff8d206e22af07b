import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { Deadlines } from './deadlines.ts';
import { hasDisconnected } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    deadline?: RequestDeadline;
  }
}

class RequestDeadline {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: AbortController | undefined;
  #isOver = false;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  /** Aborted on disconnect or timeout. Lazy: few need it. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const signal = new AbortController();
      this.#signal = signal;
      if (this.#isOver || hasDisconnected(this.#request.raw)) {
        signal.abort();
      }
      // The request closes as soon as its body is read.
      const { raw } = this.#reply;
      raw.once('close', () => {
        if (!raw.writableFinished) {
          signal.abort();
        }
      });
    }
    return this.#signal.signal;
  }

  pass(): void {
    this.#isOver = true;
    const late = new ProblemError({ type: 'timeout' });
    this.#signal?.abort(late);
    const { raw, sent } = this.#reply;
    if (sent || raw.destroyed) {
      return;
    }
    if (raw.headersSent) {
      raw.destroy(late);
    } else {
      void this.#reply.send(late);
    }
  }
}

/**
 * In place of Fastify's `handlerTimeout`, which makes a timer, a signal and a listener for each request. Register after
 * all that holds a response back.
 */
export function registerRequestDeadlines(fastify: FastifyInstance, withinMs: number): void {
  const deadlines = new Deadlines<RequestDeadline>(withinMs, (deadline) => {
    deadline.pass();
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    request.deadline = new RequestDeadline(request, reply);
    deadlines.add(request.deadline);
    done();
  });
  fastify.addHook('onSend', ({ deadline }, _reply, payload, done) => {
    if (deadline !== undefined) {
      deadlines.met(deadline);
    }
    done(null, payload);
  });
}
