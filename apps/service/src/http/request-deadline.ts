import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { Deadline } from './deadlines.ts';
import { hasDisconnected } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    deadline?: RequestDeadline;
  }
}

/**
 * In place of Fastify's `handlerTimeout`, which makes a timer, a signal and a listener for each request. Met when the
 * response is ready.
 */
export class RequestDeadline extends Deadline {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: AbortController | undefined;
  #isOver = false;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    super();
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
