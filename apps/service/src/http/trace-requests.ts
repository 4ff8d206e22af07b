import { context } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import {
  beginTrace,
  currentTrace,
  endTrace,
  withTrace,
  type RequestTrace,
} from '../trace/request-trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of requests that are traced; see `../trace`. */
    trace?: RequestTrace | undefined;
  }
}

/** Joins the caller's trace, before anything that calls a database or an upstream. */
export function beginRequestTrace(
  request: FastifyRequest,
  pattern: string,
  next: () => void,
): void {
  const begun = beginTrace(request.headers, `${request.method} ${pattern}`);
  if (begun === undefined) {
    next();
    return;
  }
  request.trace = begun;
  within(begun, next);
}

/** Again: a body arrives outside the context in which the request began. */
export function resumeRequestTrace({ trace: begun }: FastifyRequest, next: () => void): void {
  if (begun === undefined || begun === currentTrace()) {
    next();
    return;
  }
  within(begun, next);
}

export function endRequestTrace({ trace }: FastifyRequest, status: number): void {
  if (trace !== undefined) {
    endTrace(trace, status);
  }
}

function within(begun: RequestTrace, done: () => void): void {
  // The second is for the instrumentation of an SDK.
  withTrace(begun, () => {
    context.with(begun.context, done);
  });
}
