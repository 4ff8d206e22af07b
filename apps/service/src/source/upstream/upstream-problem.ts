import {
  AbortError,
  CircuitOpenError,
  HealthDataApiError,
  HealthDataError,
  NetworkError,
  TimeoutError,
} from '@caregate/api-client';
import { ProblemError } from '../../problem/problem-error.ts';

const DEFAULT_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3600;

/** Tells the kind of failure and when to retry, without any text of the upstream; the log gets class and code of the error. */
export function upstreamProblem(error: unknown): unknown {
  if (!(error instanceof HealthDataError)) {
    return error;
  }
  const options = { cause: error };
  if (error instanceof TimeoutError || error instanceof AbortError) {
    return new ProblemError({ type: 'timeout' }, options);
  }
  if (error instanceof CircuitOpenError) {
    return unavailable(error.retryAfter, options);
  }
  if (error instanceof NetworkError) {
    const detail = 'The upstream service did not return a complete response.';
    return new ProblemError({ type: 'bad-upstream', detail }, options);
  }
  if (error instanceof HealthDataApiError) {
    switch (error.status) {
      case 408:
      case 504:
        return new ProblemError({ type: 'timeout' }, options);
      case 429:
      case 503:
        return unavailable(error.retryAfter, options);
      default:
        // Including rejected keys (401, 403) and rejected parameters that are valid by the interface.
        return new ProblemError({ type: 'bad-upstream' }, options);
    }
  }
  return new ProblemError({ type: 'bad-upstream' }, options);
}

export function wrongAnswer(): ProblemError {
  return new ProblemError({ type: 'bad-upstream' });
}

function unavailable(wait: number | undefined, options: ErrorOptions): ProblemError {
  const seconds = Math.min(Math.max(wait ?? DEFAULT_WAIT_SECONDS, 1), LONGEST_WAIT_SECONDS);
  return new ProblemError(
    { type: 'unavailable', headers: { 'retry-after': String(seconds) } },
    options,
  );
}
