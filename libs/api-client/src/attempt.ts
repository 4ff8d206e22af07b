import type { OperationName } from '@caregate/domain/operations';
import { checkHeaders } from './address.ts';
import type { Authorize } from './authorize.ts';
import { withDeadline } from './deadline.ts';
import { createApiError } from './errors/api-errors.ts';
import { AbortError, InvalidResponseError, NetworkError } from './errors/call-errors.ts';
import { HealthDataError } from './errors/health-data-error.ts';
import { runQuietly, chooseLogLevel, type Logger } from './logger.ts';
import { readProblem, readRequestId } from './read-problem.ts';
import type { Clock } from './resilience/clock.ts';
import type { RetryReason } from './resilience/retries.ts';
import type { ServiceOperationName } from './service-route.ts';
import {
  BodyError,
  type HttpMethod,
  type Transport,
  type TransportResponse,
} from './transport/transport.ts';

/** A request that is about to be sent. It contains no URL, API key, or ID of a person or order. */
export interface AttemptStart {
  readonly operation: OperationName | ServiceOperationName;
  /** Method and path template, such as `GET /v2/user/resolve/{client_user_id}`. */
  readonly route: string;
  /** 1 for the first request of a call, 2 for its first retry, and so on. */
  readonly attempt: number;
  /** Absent for the first request. */
  readonly retryReason: RetryReason | undefined;
  /** `x-request-id` of the call's own `headers`, the same for all its requests; absent if not given. */
  readonly sentRequestId: string | undefined;
}

export interface AttemptEnd extends AttemptStart {
  /** Milliseconds until the body was read completely or the request failed. */
  readonly durationMs: number;
  /** HTTP status; absent if there was no response. */
  readonly status: number | undefined;
  /** `x-request-id` of the response, which identifies the request in the service's log; absent if there was no response. */
  readonly requestId: string | undefined;
  /** Name of the error class, such as `NetworkError`; absent on success. */
  readonly failure: string | undefined;
}

/**
 * Functions that are called before and after each request. Errors they throw are ignored, so that broken logging
 * doesn't break calls.
 */
export interface AttemptHooks {
  readonly onAttemptStart?: ((event: AttemptStart) => unknown) | undefined;
  readonly onAttemptEnd?: ((event: AttemptEnd) => unknown) | undefined;
}

export interface AttemptParts {
  readonly authorize: Authorize;
  readonly transport: Transport;
  readonly attemptTimeoutMs: number | undefined;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly hooks?: AttemptHooks | undefined;
  readonly logger?: Logger | undefined;
}

export interface Target {
  readonly method: HttpMethod;
  readonly url: string;
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly newConnection?: true | undefined;
}

/** How a request ended: with a response, also one with an error status, or without. */
interface AttemptResult {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Sends one request. Rejects for a status of 400 and above, like for any other failure. */
export async function sendAttempt(
  parts: AttemptParts,
  start: AttemptStart,
  target: Target,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const { route } = start;
  const { hooks, logger } = parts;
  const authHeaders = checkHeaders(await parts.authorize(target), route);
  const startedAt = parts.clock.now();
  const end = ({ status, requestId }: AttemptResult, error?: HealthDataError): void => {
    const { name: failure, message = `${route}: responded with status ${status}` } = error ?? {};
    const durationMs = parts.clock.now() - startedAt;
    const event = { ...start, durationMs, status, requestId, failure };
    runQuietly(() => hooks?.onAttemptEnd?.(event));
    runQuietly(() => logger?.[chooseLogLevel(error)](message, event));
  };
  runQuietly(() => hooks?.onAttemptStart?.(start));
  runQuietly(() => logger?.debug(`${route}: sent`, start));
  try {
    const response = await withDeadline(
      parts.clock,
      route,
      parts.attemptTimeoutMs,
      signal,
      (inner) => exchange(parts, route, target, authHeaders, inner),
      // The deadline of the whole call, or the caller's abort.
      ({ reason }) => (reason instanceof HealthDataError ? reason : new AbortError(route, reason)),
    );
    end({ status: response.status, requestId: readRequestId(response) });
    return response;
  } catch (error) {
    end(error as AttemptResult, error as HealthDataError);
    throw error;
  }
}

async function exchange(
  parts: AttemptParts,
  route: string,
  target: Target,
  authHeaders: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const { maxBodyBytes } = parts;
  // A server may echo request headers. Remove the secrets, each of which is the last word of its header.
  const secrets = Object.values(authHeaders).map((value) =>
    value.slice(value.lastIndexOf(' ') + 1),
  );
  const clean = (text: string): string =>
    secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[API key]'), text);
  let response: TransportResponse;
  try {
    response = await parts.transport.request({
      ...target,
      headers: { ...target.headers, ...authHeaders },
      signal,
      maxBodyBytes,
    });
    // For transports that don't check the size. A string is never longer than its UTF-8 bytes.
    if (response.body.length > maxBodyBytes) throw new BodyError('too-large', response.status);
  } catch (error) {
    throw toClientError(route, error);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name] = clean(value);
  response = { ...response, headers };
  if (response.status >= 400) throw createApiError(route, readProblem(response, clean));
  return response;
}

function toClientError(route: string, error: unknown): HealthDataError {
  if (!(error instanceof BodyError)) return new NetworkError(route, error);
  // The status of an error response matters more than its body.
  if (error.status !== undefined && error.status >= 400) {
    return createApiError(route, { status: error.status, headers: {} });
  }
  const reason =
    error.fault === 'too-large' ? 'response is too large' : 'response is not valid UTF-8';
  return new InvalidResponseError(route, reason, error.status);
}
