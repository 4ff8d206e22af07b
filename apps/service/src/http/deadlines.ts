import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { hasDisconnected } from './request-log.ts';

export abstract class Deadline {
  /** In a list of its own, so that one that is met keeps nothing alive: a `Map` that grows and shrinks does. */
  earlier: Deadline | undefined;
  later: Deadline | undefined;
  dueMs = 0;

  abstract pass(): void;
}

/** Passes what is overdue, with one timer: most is met long before. */
export class Deadlines {
  readonly #withinMs: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  add(item: Deadline): void {
    item.dueMs = performance.now() + this.#withinMs;
    item.earlier = this.#last;
    if (this.#last === undefined) {
      this.#first = item;
    } else {
      this.#last.later = item;
    }
    this.#last = item;
    this.#timer ??= this.#wait(this.#withinMs);
  }

  met(item: Deadline): void {
    const { earlier, later } = item;
    if (earlier === undefined && this.#first !== item) {
      return;
    }
    if (earlier === undefined) {
      this.#first = later;
    } else {
      earlier.later = later;
    }
    if (later === undefined) {
      this.#last = earlier;
    } else {
      later.earlier = earlier;
    }
    item.earlier = undefined;
    item.later = undefined;
  }

  #wait(ms: number): NodeJS.Timeout {
    // A pending response keeps its connection, and so the process.
    return setTimeout(() => {
      this.#check();
    }, ms).unref();
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let item = this.#first; item !== undefined; item = this.#first) {
      if (item.dueMs > now) {
        this.#timer = this.#wait(item.dueMs - now);
        return;
      }
      this.met(item);
      item.pass();
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    deadline?: RequestDeadline;
  }
}

/** Not Fastify's `handlerTimeout`: it makes a timer, a signal and a listener for each request. Met when the answer is ready. */
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
