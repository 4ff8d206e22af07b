import type { AttemptHooks } from '../attempt.ts';

/** `console`, pino, winston, Nest's `Logger` and others are loggers. */
export interface Logger {
  debug(line: string): unknown;
  warn(line: string): unknown;
}

/**
 * For the client option `hooks`: a line for each request, such as
 * `GET /v2/user/{user_id}/info/latest: 503, 12 ms, attempt 2 (unavailable), request id r-9`; failed ones are warnings. No
 * line has a URL, a key or an id of a person or order.
 */
export function logHooks(logger: Logger): AttemptHooks {
  return {
    onAttemptEnd: ({ route, status, failure, durationMs, attempt, retryReason, requestId }) => {
      const line = [
        `${route}: ${status ?? failure}`,
        `${Math.round(durationMs)} ms`,
        ...(retryReason ? [`attempt ${attempt} (${retryReason})`] : []),
        ...(requestId ? [`request id ${requestId}`] : []),
      ].join(', ');
      // Called on the logger itself, which may need its `this`; what it returns is watched by the caller.
      return failure ? logger.warn(line) : logger.debug(line);
    },
  };
}
