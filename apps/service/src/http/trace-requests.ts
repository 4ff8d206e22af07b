import { context } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
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

/** Joins the caller's trace. Register before anything that calls a database or an upstream. */
export function traceRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url: pattern = 'none' } = request.routeOptions;
    const begun = beginTrace(request.headers, `${request.method} ${pattern}`);
    if (begun === undefined) {
      done();
      return;
    }
    request.trace = begun;
    within(begun, done);
  });
  // Again: the body arrives outside the context of the first hook.
  fastify.addHook('preValidation', ({ trace: begun }, _reply, done) => {
    if (begun === undefined || begun === currentTrace()) {
      done();
      return;
    }
    within(begun, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.trace !== undefined) {
      endTrace(request.trace, reply.statusCode);
    }
    done();
  });
}

function within(begun: RequestTrace, done: () => void): void {
  // The second is for the instrumentation of an SDK.
  withTrace(begun, () => {
    context.with(begun.context, done);
  });
}
