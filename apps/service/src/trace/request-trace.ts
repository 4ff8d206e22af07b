import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';

/** The trace that a request belongs to. */
export interface RequestTrace {
  readonly context: Context;
  readonly span: Span;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** What other systems have added, passed on as it came. */
  readonly tracestate: string | undefined;
  /** Whether the caller wants the trace kept. */
  readonly isSampled: boolean;
}

/** Of OpenTelemetry's SDK if one is registered, which may be after this is loaded; otherwise its spans are the caller's. */
const tracer = trace.getTracer('caregate');

/** W3C Trace Context, 3.2: version, trace id, parent id, flags; later versions may have more behind a hyphen. */
const traceparentForm = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/u;
const longestTracestate = 512;

/**
 * Begins the trace of a request; undefined where the caller sends none and no SDK makes one.
 *
 * @param name of the route, never a path with ids
 */
export function beginTrace(headers: IncomingHttpHeaders, name: string): RequestTrace | undefined {
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parentOf(headers));
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) {
    return undefined;
  }
  return {
    context: trace.setSpan(ROOT_CONTEXT, span),
    span,
    traceId: spanContext.traceId,
    tracestate: stateOf(headers),
    isSampled: (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0,
  };
}

export function endTrace({ span }: RequestTrace, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Headers of a request that is sent on behalf of the traced one. */
export function traceHeaders({ span, tracestate }: RequestTrace): Record<string, string> {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, '0');
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate !== undefined && { tracestate }),
  };
}

const current = new AsyncLocalStorage<RequestTrace>();

/** Runs the rest of a request: what it calls finds its trace. */
export function withTrace(of: RequestTrace, run: () => void): void {
  current.run(of, run);
}

/** The trace of the request on whose behalf this is called, if any. */
export function currentTrace(): RequestTrace | undefined {
  return current.getStore();
}

function parentOf({ traceparent }: IncomingHttpHeaders): Context {
  // Node joins a header that is sent twice with a comma, which is no valid one.
  const [, version, traceId = '', spanId = '', flags = '', more] =
    traceparentForm.exec(String(traceparent)) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const remote = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(remote) && (version !== '00' || more === undefined)
    ? trace.setSpanContext(ROOT_CONTEXT, remote)
    : ROOT_CONTEXT;
}

function stateOf({ tracestate }: IncomingHttpHeaders): string | undefined {
  const state = String(tracestate ?? '');
  return state.length <= longestTracestate && /^[ -~]+$/u.test(state) ? state : undefined;
}
