import type { AnswerOf } from '@caregate/domain/operations';
import { checkHeaders, fillPath, queryText, routeOf, type DocumentedRoute } from './address.ts';
import { attempt } from './attempt.ts';
import type { AttemptParts, AttemptStart, Target } from './attempt.ts';
import { checkTimeout, withDeadline } from './deadline.ts';
import type { NetworkError } from './errors/call-errors.ts';
import { withCallerStack } from './errors/health-data-error.ts';
import { apiPromise } from './api-promise.ts';
import type { ApiResponse, ApiPromise } from './api-promise.ts';
import { readResponse } from './read-response.ts';
import type { ResponseValidation } from './read-response.ts';
import type { Clock } from './resilience/clock.ts';
import { withRetries } from './resilience/retries.ts';
import type { RetryPolicy } from './resilience/retries.ts';
import type { Fault } from './shape.ts';
import type { TransportResponse } from './transport/transport.ts';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time-out in milliseconds for the complete response, including retries and waits; default: the client's. In
   * iterators: per page.
   */
  readonly timeoutMs?: number | undefined;
  /** Additional request headers, such as a request id; `accept` and the headers that authorise cannot be overridden. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface CallParts {
  readonly ids?: Readonly<Record<string, unknown>> | undefined;
  /** Names in camel case; see `queryText`. */
  readonly query?: object | undefined;
  /** Sent as JSON, in a POST. */
  readonly body?: object | undefined;
}

/**
 * Makes one call of an operation; `fault` checks the outline of its response. Rejects only with subclasses of
 * HealthDataError.
 */
export interface Call {
  <R extends DocumentedRoute>(
    operation: R,
    fault: Fault,
    parts: () => CallParts,
    options: CallOptions | undefined,
  ): ApiPromise<AnswerOf<R['name']>>;
  readonly clock: Clock;
}

export interface CallerParts extends AttemptParts {
  readonly address: string;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: RetryPolicy;
  readonly validation: ResponseValidation | undefined;
}

export function callerOf(caller: CallerParts): Call {
  const { clock } = caller;
  const run = async <R extends DocumentedRoute>(
    operation: R,
    fault: Fault,
    parts: () => CallParts,
    options: CallOptions | undefined,
  ): Promise<ApiResponse<AnswerOf<R['name']>>> => {
    try {
      const route = routeOf(operation);
      const asked = { operation: operation.name, route };
      const { ids = {}, query = {}, body: sent } = parts();
      const body = sent && JSON.stringify(sent);
      const url = caller.address + fillPath(operation.path, ids, route) + queryText(query, route);
      const timeoutMs = checkTimeout(options?.timeoutMs ?? caller.timeoutMs);
      const headers = {
        ...caller.headers,
        ...checkHeaders(options?.headers, route),
        accept: 'application/json',
        ...(sent && { 'content-type': 'application/json' }),
      };
      const deadlineAt = clock.now() + timeoutMs;
      const target = { method: sent ? ('POST' as const) : ('GET' as const), url, headers, body };
      const response = await withDeadline(clock, route, timeoutMs, options?.signal, (signal) =>
        requests(caller, asked, target, signal, deadlineAt),
      );
      return readResponse(asked, fault, response, caller.validation);
    } catch (error) {
      throw withCallerStack(error);
    }
  };
  return Object.assign(
    <R extends DocumentedRoute>(...call: Parameters<typeof run<R>>) => apiPromise(run(...call)),
    { clock },
  );
}

/** The requests of one call: the first and its retries. */
function requests(
  caller: CallerParts,
  asked: Pick<AttemptStart, 'operation' | 'route'>,
  target: Target,
  signal: AbortSignal,
  deadlineAt: number,
): Promise<TransportResponse> {
  let to = target;
  return withRetries(
    { policy: caller.retries, clock: caller.clock, signal, deadlineAt },
    async (round, retryReason) => {
      const start = {
        ...asked,
        attempt: round,
        retryReason,
        sentRequestId: target.headers['x-request-id'],
      };
      try {
        return await attempt(caller, start, to, signal);
      } catch (error) {
        if ((error as Partial<NetworkError>).onKeptConnection)
          to = { ...target, newConnection: true };
        throw error;
      }
    },
  );
}
