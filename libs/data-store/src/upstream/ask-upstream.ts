import {
  AbortError,
  CircuitOpenError,
  HealthDataApiError,
  HealthDataError,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  TimeoutError,
  type ApiPromise,
  type CallOptions,
} from '@caregate/api-client';
import type { SourceCall } from '../health-data-source.ts';
import { SourceError } from '../source-error.ts';
import { describeIssue } from '../store/import/import-types.ts';

const DEFAULT_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3600;

type Response<T> = Awaited<ReturnType<ApiPromise<T>['withResponse']>>;

/**
 * Sends a request for the caller. Returns a 404, and rejects all other failures with a {@link SourceError} that
 * contains no text of the upstream.
 */
export async function callUpstream<T>(
  call: SourceCall | undefined,
  send: (options: CallOptions) => ApiPromise<T>,
): Promise<Response<T> | NotFoundError> {
  const options = call && {
    signal: call.signal,
    headers: { 'x-request-id': call.requestId, ...call.traceHeaders },
  };
  try {
    return await send(options ?? {}).withResponse();
  } catch (error) {
    if (error instanceof NotFoundError && hasReason(error)) {
      return error;
    }
    throw error instanceof HealthDataError ? toSourceError(error) : error;
  }
}

/** Creates the error for a response that has a valid form, but doesn't match the request. */
export function createMismatchError(): SourceError {
  return new SourceError('bad-upstream');
}

/** Formats microseconds since 1970 as a date-time in UTC, with a fraction only if needed. */
export function formatInstant(us: number): string {
  const seconds = Math.floor(us / 1e6);
  const fraction = us - seconds * 1e6;
  const instant = new Date(seconds * 1000).toISOString().slice(0, -5);
  return fraction === 0 ? `${instant}Z` : `${instant}.${String(fraction).padStart(6, '0')}Z`;
}

/** A 404 without a JSON body comes from a proxy or a wrong URL. It doesn't mean that the data is missing. */
function hasReason(error: NotFoundError): boolean {
  return error.detail !== undefined || error.type !== undefined || error.errors.length > 0;
}

/** Converts an error of the client. The log gets its class and code. */
function toSourceError(cause: HealthDataError): SourceError {
  const status = cause instanceof HealthDataApiError ? cause.status : undefined;
  if (
    cause instanceof TimeoutError ||
    cause instanceof AbortError ||
    status === 408 ||
    status === 504
  ) {
    return new SourceError('timeout', { cause });
  }
  if (cause instanceof CircuitOpenError || status === 429 || status === 503) {
    const { retryAfter = DEFAULT_WAIT_SECONDS } = cause as CircuitOpenError | HealthDataApiError;
    const retryAfterSeconds = Math.min(Math.max(retryAfter, 1), LONGEST_WAIT_SECONDS);
    return new SourceError('unavailable', { retryAfterSeconds, cause });
  }
  // This includes rejected API keys (401, 403), and rejected parameters that are valid in the interface document.
  return new SourceError('bad-upstream', { ...getErrorDetail(cause), cause });
}

/** Names an invalid member and its place, without any text of the upstream. */
function getErrorDetail(error: HealthDataError): { readonly detail?: string } {
  const [issue] = error instanceof InvalidResponseError ? error.issues : [];
  if (issue !== undefined) {
    const { path, message } = describeIssue(issue);
    return {
      detail: `The answer of the upstream service does not have the form of the interface: ${path === '' ? 'it' : path} ${message}.`,
    };
  }
  return error instanceof NetworkError
    ? { detail: 'The upstream service did not return a complete response.' }
    : {};
}
