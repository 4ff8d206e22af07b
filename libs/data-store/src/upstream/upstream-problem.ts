import {
  AbortError,
  CircuitOpenError,
  HealthDataApiError,
  HealthDataError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from '@caregate/api-client';
import { reasonOf } from '../store/import/import-types.ts';
import { SourceError } from '../source-error.ts';

const DEFAULT_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3600;

/** Tells the kind of failure and when to retry, without any text of the upstream; the log gets class and code of the error. */
export function upstreamProblem(error: unknown): unknown {
  if (!(error instanceof HealthDataError)) {
    return error;
  }
  const options = { cause: error };
  if (error instanceof TimeoutError || error instanceof AbortError) {
    return new SourceError('timeout', options);
  }
  if (error instanceof CircuitOpenError) {
    return unavailable(error.retryAfter, options);
  }
  if (error instanceof NetworkError) {
    const detail = 'The upstream service did not return a complete response.';
    return new SourceError('bad-upstream', { detail, ...options });
  }
  if (error instanceof HealthDataApiError) {
    switch (error.status) {
      case 408:
      case 504:
        return new SourceError('timeout', options);
      case 429:
      case 503:
        return unavailable(error.retryAfter, options);
      default:
        // Including rejected keys (401, 403) and rejected parameters that are valid by the interface.
        return new SourceError('bad-upstream', options);
    }
  }
  if (error instanceof InvalidResponseError) {
    const [issue] = error.issues;
    return new SourceError('bad-upstream', {
      ...(issue && { detail: whatIsWrong(issue) }),
      ...options,
    });
  }
  return new SourceError('bad-upstream', options);
}

/** Names the member and its place, and nothing that the upstream wrote. */
function whatIsWrong(issue: Parameters<typeof reasonOf>[0]): string {
  const { path, message } = reasonOf(issue);
  return `The answer of the upstream service does not have the form of the interface: ${path === '' ? 'it' : path} ${message}.`;
}

export function wrongAnswer(): SourceError {
  return new SourceError('bad-upstream');
}

function unavailable(wait: number | undefined, options: ErrorOptions): SourceError {
  const retryAfterSeconds = Math.min(
    Math.max(wait ?? DEFAULT_WAIT_SECONDS, 1),
    LONGEST_WAIT_SECONDS,
  );
  return new SourceError('unavailable', { retryAfterSeconds, ...options });
}
