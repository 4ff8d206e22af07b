import { fillPath, queryText } from './address.ts';
import { checkTimeout, withDeadline } from './deadline.ts';
import { apiErrorOf } from './errors/api-errors.ts';
import { InvalidResponseError, NetworkError } from './errors/call-errors.ts';
import type { HealthDataError } from './errors/health-data-error.ts';
import { readProblem, requestIdOf } from './errors/read-problem.ts';
import { BodyError } from './transport/transport.ts';
import type { Transport, TransportResponse } from './transport/transport.ts';

/** What every call takes. */
export interface CallOptions {
  /** Gives the call up, at any moment until the answer is there. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the whole answer must be read; the client's own unless given. In iterators: for each page. */
  readonly timeoutMs?: number | undefined;
}

/** One documented operation: its path and the check of its answer. */
export interface Operation<T> {
  /** With ids as `{name}`; errors name the route by it. */
  readonly template: string;
  /** Says what is wrong with the parsed body, without quoting it. */
  readonly fault: (body: unknown) => string | undefined;
  /** Carries T alone; never set. */
  readonly answer?: T;
}

export interface CallParts {
  readonly ids?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Makes one call and hands back the checked body. Rejects with subclasses of HealthDataError only. */
export type Call = <T>(
  operation: Operation<T>,
  parts: CallParts,
  options: CallOptions | undefined,
) => Promise<T>;

export interface CallerParts {
  readonly address: string;
  readonly apiKey: string;
  readonly headerName: string;
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

export function routeOf(operation: Operation<unknown>): string {
  return `GET ${operation.template}`;
}

/** The key lives in this closure alone, where no inspection reaches it. */
export function callerOf(caller: CallerParts): Call {
  return async <T>(operation: Operation<T>, parts: CallParts, options?: CallOptions) => {
    const route = routeOf(operation);
    const path = fillPath(operation.template, parts.ids ?? {});
    const url = caller.address + path + queryText(parts.query ?? {}, route);
    const timeoutMs = checkTimeout(options?.timeoutMs ?? caller.timeoutMs);
    // A later issue's retries go around this one attempt.
    const response = await withDeadline(route, timeoutMs, options?.signal, (signal) =>
      attempt(caller, route, url, signal),
    );
    return readAnswer(operation, response, caller.apiKey);
  };
}

async function attempt(
  caller: CallerParts,
  route: string,
  url: string,
  signal: AbortSignal,
): Promise<TransportResponse> {
  try {
    const response = await caller.transport.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json', [caller.headerName]: caller.apiKey },
      signal,
      maxBodyBytes: caller.maxBodyBytes,
    });
    // For transports that do not count: more characters than allowed is more bytes too.
    if (response.body.length > caller.maxBodyBytes) {
      throw new BodyError('too-large', response.status);
    }
    return response;
  } catch (error) {
    throw failureOf(route, error);
  }
}

function failureOf(route: string, error: unknown): HealthDataError {
  if (!(error instanceof BodyError)) return new NetworkError(route, error);
  // The status of a refusal matters more than its words.
  if (error.status !== undefined && error.status >= 400) {
    return apiErrorOf(route, { status: error.status, headers: {} });
  }
  const reason = error.fault === 'too-large' ? 'answer is too large' : 'answer is not in UTF-8';
  return new InvalidResponseError(route, reason, error.status);
}

function readAnswer<T>(operation: Operation<T>, answer: TransportResponse, apiKey: string): T {
  const route = routeOf(operation);
  // A server may echo the request's headers; what errors keep of an answer must not hold the key.
  const clean = (text: string): string => text.replaceAll(apiKey, '[API key]');
  const response = { ...answer, headers: mapped(answer.headers, clean) };
  const { status } = response;
  if (status >= 400) throw apiErrorOf(route, readProblem(response, clean));
  const refuse = (reason: string): InvalidResponseError =>
    new InvalidResponseError(route, reason, status, requestIdOf(response));
  // Browsers hide a redirect that was not followed behind status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw refuse('answered with a redirect');
  if (status !== 200) throw refuse(`answered ${status}`);
  let body: unknown;
  try {
    body = JSON.parse(response.body);
  } catch {
    // No cause: the parser's message quotes the body.
    throw refuse(`answered ${status} with ${mediaType(response)}, not JSON`);
  }
  const fault = operation.fault(body);
  if (fault !== undefined) throw refuse(fault);
  // The light check above stands in for the compiled validators of a later issue.
  return body as T;
}

function mapped(
  headers: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]): [string, string] => [name, change(value)]),
  );
}

function mediaType(response: TransportResponse): string {
  const found = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(response.headers['content-type'] ?? '');
  return found === null ? 'a body of unknown type' : found[0];
}
