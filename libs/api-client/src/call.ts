import { checkHeaders, fillPath, formatQuery } from './address.ts';
import { createApiPromise, type ApiPromise, type ApiResponse } from './api-promise.ts';
import { sendAttempt, type AttemptParts, type Target } from './attempt.ts';
import { checkTimeout, withDeadline } from './deadline.ts';
import { HealthDataApiError } from './errors/api-errors.ts';
import { InvalidResponseError, NetworkError, TimeoutError } from './errors/call-errors.ts';
import { withCallerStack, type HealthDataError } from './errors/health-data-error.ts';
import { runQuietly, chooseLogLevel } from './logger.ts';
import {
  readResponse,
  type CallRoute,
  type Expected,
  type ResponseValidation,
} from './read-response.ts';
import type { CircuitBreaker, CircuitOutcome } from './resilience/circuit-breaker.ts';
import type { Clock } from './resilience/clock.ts';
import {
  createRetryPolicy,
  withRetries,
  type CallRetryOptions,
  type RetryPolicy,
} from './resilience/retries.ts';
import type { TransportResponse } from './transport/transport.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout in milliseconds of the whole call with retries and waits; in iterators, of each page. The client's by
   * default.
   */
  readonly timeoutMs?: number | undefined;
  /** Additional request headers, such as a request ID. `accept` and the headers that authorize can't be overridden. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Retry options instead of the client's; `false` disables retries. Requests that change something are never
   * retried.
   */
  readonly retries?: false | CallRetryOptions | undefined;
}

export interface CallParts {
  readonly ids?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

/** Makes one call. Rejects only with subclasses of HealthDataError and with errors that `authorize` throws. */
export interface Connection {
  <T>(
    operation: CallRoute,
    expected: Expected,
    buildParts: () => CallParts,
    options: CallOptions | undefined,
  ): ApiPromise<T>;
  readonly clock: Clock;
}

export interface CallerParts extends AttemptParts {
  readonly address: string;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: RetryPolicy;
  readonly validation?: ResponseValidation | undefined;
  readonly circuitBreaker?: CircuitBreaker | undefined;
}

export function formatRoute({ method = 'GET', path }: Omit<CallRoute, 'name'>): string {
  return `${method} ${path}`;
}

export function createConnection(caller: CallerParts): Connection {
  return Object.assign(
    <T>(...call: Parameters<Connection>) => createApiPromise(run<T>(caller, ...call)),
    { clock: caller.clock },
  );
}

async function run<T>(
  caller: CallerParts,
  operation: CallRoute,
  expected: Expected,
  buildParts: () => CallParts,
  options: CallOptions | undefined,
): Promise<ApiResponse<T>> {
  const route = formatRoute(operation);
  try {
    const { clock } = caller;
    const { method = 'GET' } = operation;
    const { ids = {}, query = {}, body } = buildParts();
    const url = caller.address + fillPath(operation.path, ids, route) + formatQuery(query, route);
    const timeoutMs = checkTimeout(options?.timeoutMs ?? caller.timeoutMs);
    const headers: Record<string, string> = {
      ...caller.headers,
      ...checkHeaders(options?.headers, route),
      accept: 'accept' in expected ? expected.accept : 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    };
    // A change may have been made although its response was lost, so the caller must decide whether to send it again.
    const isRead = typeof expected === 'function' || method === 'GET';
    const retries = createRetryPolicy(options?.retries, caller.retries);
    const policy = isRead ? retries : { ...retries, attempts: 1 };
    const deadlineAt = clock.now() + timeoutMs;
    const sentRequestId = headers['x-request-id'];
    let target: Target = { method, url, headers, body: body && JSON.stringify(body) };
    const send = (signal: AbortSignal): Promise<TransportResponse> =>
      withRetries({ policy, clock, signal, deadlineAt }, async (round, retryReason) => {
        const start = {
          operation: operation.name,
          route,
          attempt: round,
          retryReason,
          sentRequestId,
        };
        try {
          return await sendAttempt(caller, start, target, signal);
        } catch (error) {
          if ((error as Partial<NetworkError>).onKeptConnection)
            target = { ...target, newConnection: true };
          throw error;
        }
      });
    const leave = caller.circuitBreaker?.enter(route);
    const response = await withDeadline(clock, route, timeoutMs, options?.signal, send).catch(
      (error: unknown) => {
        leave?.(classifyOutcome(error));
        throw error;
      },
    );
    leave?.('succeeded');
    return readResponse(operation.name, route, expected, response, caller.validation);
  } catch (error) {
    if (chooseLogLevel(error) === 'warn') {
      const failure = error as HealthDataError;
      runQuietly(() => caller.logger?.error(failure.message, failure));
    }
    throw withCallerStack(error);
  }
}

/** Returns the circuit breaker's outcome of a call that failed after all its retries. */
function classifyOutcome(error: unknown): CircuitOutcome {
  if (error instanceof InvalidResponseError) return 'succeeded';
  if (error instanceof HealthDataApiError) return error.status < 500 ? 'succeeded' : 'failed';
  // A restarting service closes all kept-alive connections at once, so their failure says nothing about its health.
  if (error instanceof NetworkError) return error.onKeptConnection ? 'given-up' : 'failed';
  return error instanceof TimeoutError ? 'failed' : 'given-up';
}
