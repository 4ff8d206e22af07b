import { AbortError } from './errors/call-errors.ts';
import { HealthDataError } from './errors/health-data-error.ts';

/**
 * `console`, pino, winston, or any logger with these methods. Its own setting decides which levels are written.
 * Messages and details never contain API keys, URLs, bodies, or IDs of a person or order. Errors it throws are
 * ignored.
 *
 * - `debug`: a request was sent or answered.
 * - `info`: the service refused a request (4xx).
 * - `warn`: a request failed in another way; it may be sent again.
 * - `error`: a call was rejected for such a failure, with its error.
 *
 * @example
 * const client = new HealthDataClient({ baseUrl, apiKey, logger: console });
 */
export interface Logger {
  debug(message: string, details: object): unknown;
  info(message: string, details: object): unknown;
  warn(message: string, details: object): unknown;
  error(message: string, details: object): unknown;
}

/** Returns the log level for the end of a request or call. Only errors of this package are logged. */
export function chooseLogLevel(error: unknown): 'debug' | 'info' | 'warn' {
  if (!(error instanceof HealthDataError) || error instanceof AbortError) return 'debug';
  const { status = 500 } = error as { status?: number | undefined };
  return status >= 400 && status < 500 && status !== 429 ? 'info' : 'warn';
}

/** Runs a function of the caller and ignores its errors, also asynchronous ones. */
export function runQuietly(report: () => unknown): void {
  (async () => await report())().catch(() => undefined);
}
