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

/**
 * What whoever called may learn of an upstream's failure: that it failed, how, and when to come again. Not a word of
 * the upstream's own; the log gets the error's class and code. What is no failure of an upstream comes back as it is.
 */
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
    const detail = 'No whole answer came from the service behind this one.';
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
        // Our key refused (401, 403) and parameters refused that are right by the interface, too.
        return new ProblemError({ type: 'bad-upstream' }, options);
    }
  }
  return new ProblemError({ type: 'bad-upstream' }, options);
}

/** An answer that is whole and right in form, and yet not to what was asked. */
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
