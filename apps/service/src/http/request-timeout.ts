import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { hasDisconnected } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    timeout?: RequestTimeout;
  }
}

/**
 * Answers 504 if no answer is ready in time.
 * Fastify's `handlerTimeout` ends, and aborts `request.signal`, as soon as the body of a POST is read (5.12).
 */
export class RequestTimeout {
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

  /** Called when the answer is ready. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Aborted on disconnect or timeout; created on first use, since few operations need it. */
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
