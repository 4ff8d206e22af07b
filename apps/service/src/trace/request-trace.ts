import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  context,
} from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

export interface RequestTrace {
  readonly context: Context;
  readonly span: Span;
  readonly traceId: string;
  readonly tracestate: string | undefined;
  readonly isSampled: boolean;
}

/** An OpenTelemetry SDK may be registered later. Without one, the spans are those of the caller. */
const tracer = trace.getTracer('caregate');

/** W3C Trace Context, 3.2. Later versions may append more fields after a hyphen. */
const traceparentForm = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/u;
const longestTracestate = 512;

/**
 * Returns undefined if the caller sends no trace and no SDK creates one. @param name name of the route, never a path
 * with IDs
 */
export function beginTrace(headers: IncomingHttpHeaders, name: string): RequestTrace | undefined {
  const parent = readParent(headers);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) {
    return undefined;
  }
  return {
    context: trace.setSpan(ROOT_CONTEXT, span),
    span,
    traceId: spanContext.traceId,
    // The state of an invalid parent must be dropped (W3C Trace Context, 3.3.1.5).
    tracestate: parent === ROOT_CONTEXT ? undefined : readState(headers),
    isSampled: (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0,
  };
}

export function buildTraceHeaders({ span, tracestate }: RequestTrace): Record<string, string> {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, '0');
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate !== undefined && { tracestate }),
  };
}

const current = new AsyncLocalStorage<RequestTrace>();

function getCurrentTrace(): RequestTrace | undefined {
  return current.getStore();
}

/** Returns the ID of the current trace if it is sampled. */
export function getSampledTraceId(): string | undefined {
  const found = getCurrentTrace();
  return found?.isSampled === true ? found.traceId : undefined;
}

function readParent({ traceparent }: IncomingHttpHeaders): Context {
  // Node joins repeated headers with a comma, which makes the value invalid.
  const [, version, traceId = '', spanId = '', flags = '', more] =
    traceparentForm.exec(String(traceparent)) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const remote = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(remote) && (version !== '00' || more === undefined)
    ? trace.setSpanContext(ROOT_CONTEXT, remote)
    : ROOT_CONTEXT;
}

function readState({ tracestate }: IncomingHttpHeaders): string | undefined {
  const state = String(tracestate ?? '');
  return state.length <= longestTracestate && /^[ -~]+$/u.test(state) ? state : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    trace?: RequestTrace | undefined;
  }
}

/** Continues the caller's trace. Must run before anything that calls a database or an upstream. */
export function beginRequestTrace(request: FastifyRequest, next: () => void): void {
  const pattern = (request.is404 ? undefined : request.routeOptions.url) ?? 'none';
  const requestTrace = beginTrace(request.headers, `${request.method} ${pattern}`);
  if (requestTrace === undefined) {
    next();
    return;
  }
  request.trace = requestTrace;
  runWithTrace(requestTrace, next);
}

/** Enters the trace again, since a request body arrives outside of the context in which the request began. */
export function resumeRequestTrace(
  { trace: requestTrace }: FastifyRequest,
  next: () => void,
): void {
  if (requestTrace === undefined || requestTrace === getCurrentTrace()) {
    next();
    return;
  }
  runWithTrace(requestTrace, next);
}

export function endRequestTrace({ trace: requestTrace }: FastifyRequest, status: number): void {
  requestTrace?.span.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    requestTrace?.span.setStatus({ code: SpanStatusCode.ERROR });
  }
  requestTrace?.span.end();
}

function runWithTrace(requestTrace: RequestTrace, done: () => void): void {
  // The second context is the one that an SDK's instrumentation uses.
  current.run(requestTrace, () => {
    context.with(requestTrace.context, done);
  });
}
