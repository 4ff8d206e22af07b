import { checkHeaders, fillPath, queryText } from '../address.ts';
import { apiPromise, type ApiPromise, type ApiResponse } from '../api-promise.ts';
import { attempt, type Target } from '../attempt.ts';
import type { CallerParts, CallOptions, CallParts } from '../call.ts';
import { callerPartsOf, type HealthDataClientOptions } from '../connect.ts';
import { checkTimeout, withDeadline } from '../deadline.ts';
import { InvalidResponseError } from '../errors/call-errors.ts';
import { withCallerStack } from '../errors/health-data-error.ts';
import { requestIdOf } from '../read-problem.ts';
import { withRetries } from '../resilience/retries.ts';
import type { Fault } from '../shape.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { ServiceOperationName, ServiceRoute } from '../service-route.ts';

/** What an operation answers with. */
export type Expected =
  | { readonly form: 'json'; readonly fault: Fault }
  /** The text itself, of this media type. */
  | { readonly form: 'text'; readonly accept: string }
  /** Status 204. */
  | { readonly form: 'nothing' }
  /** JSON of any shape that `fault` accepts, or status 204. */
  | { readonly form: 'any'; readonly fault: Fault };

/** First argument of the functions for single operations of access and audit. */
export type ServiceConnection = <T>(
  route: ServiceRoute & { readonly name: ServiceOperationName },
  expected: Expected,
  parts: () => CallParts,
  options: CallOptions | undefined,
) => ApiPromise<T>;

/**
 * Connects to the operations of access and audit. Reads are retried as the options say; whatever changes something is
 * sent once. `validation` is of the other reads alone. Throws
 * `InvalidArgumentError` for invalid options.
 */
export function connectService(options: HealthDataClientOptions): ServiceConnection {
  const caller = callerPartsOf(options);
  return <T>(...call: Parameters<ServiceConnection>) => apiPromise(run<T>(caller, ...call));
}

async function run<T>(
  caller: CallerParts,
  operation: ServiceRoute & { readonly name: ServiceOperationName },
  expected: Expected,
  parts: () => CallParts,
  options: CallOptions | undefined,
): Promise<ApiResponse<T>> {
  const { method, path, name } = operation;
  const route = `${method} ${path}`;
  try {
    const { ids = {}, query = {}, body } = parts();
    const headers: Record<string, string> = {
      ...caller.headers,
      ...checkHeaders(options?.headers, route),
      accept: expected.form === 'text' ? expected.accept : 'application/json',
    };
    const target: Target = {
      method,
      url: caller.address + fillPath(path, ids, route) + queryText(query, route),
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const { clock, retries } = caller;
    const timeoutMs = checkTimeout(options?.timeoutMs ?? caller.timeoutMs);
    const deadlineAt = clock.now() + timeoutMs;
    // What changes something may have happened although its answer is lost: whoever asked decides whether to ask again.
    const policy = method === 'GET' ? retries : { ...retries, attempts: 1 };
    const sentRequestId = headers['x-request-id'];
    const response = await withDeadline(clock, route, timeoutMs, options?.signal, (signal) =>
      withRetries({ policy, clock, signal, deadlineAt }, (round, retryReason) =>
        attempt(
          caller,
          { operation: name, route, attempt: round, retryReason, sentRequestId },
          target,
          signal,
        ),
      ),
    );
    return read<T>(route, expected, response);
  } catch (error) {
    throw withCallerStack(error);
  }
}

/** Throws {@link InvalidResponseError}. */
function read<T>(route: string, expected: Expected, response: TransportResponse): ApiResponse<T> {
  const { status, headers, body: text } = response;
  const requestId = requestIdOf(response);
  const refuse = (reason: string): InvalidResponseError =>
    new InvalidResponseError(route, reason, status, requestId);
  const isExpected =
    status === 204
      ? expected.form === 'nothing' || expected.form === 'any'
      : expected.form !== 'nothing' && (status === 200 || status === 201);
  if (!isExpected) throw refuse(`responded with status ${status}`);
  return { data: dataOf(expected, response, refuse) as T, status, headers, requestId, text };
}

function dataOf(
  expected: Expected,
  { status, headers, body }: TransportResponse,
  refuse: (reason: string) => InvalidResponseError,
): unknown {
  if (expected.form === 'nothing' || status === 204) return undefined;
  if (expected.form === 'text') {
    const isAsked = headers['content-type']?.startsWith(expected.accept) === true;
    if (!isAsked) throw refuse(`responded with something other than ${expected.accept}`);
    return body;
  }
  let data: unknown;
  try {
    data = JSON.parse(body);
  } catch {
    // No cause: the message of the parser quotes the body.
    throw refuse('responded with something other than JSON');
  }
  const fault = expected.fault(data);
  if (fault !== undefined) throw refuse(fault);
  return data;
}
