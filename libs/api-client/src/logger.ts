import { AbortError } from './errors/call-errors.ts';
import { HealthDataError } from './errors/health-data-error.ts';

/**
 * `console`, pino, winston or any other with these methods; which levels are written is its own setting. Messages and details
 * never contain keys, URLs, bodies or ids of a person or order. What it throws is ignored.
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

/** How much the end of a request matters, or of a call: only what this package throws can be logged. */
export function severityOf(error: unknown): 'debug' | 'info' | 'warn' {
  if (!(error instanceof HealthDataError) || error instanceof AbortError) return 'debug';
  const { status = 500 } = error as { status?: number | undefined };
  return status >= 400 && status < 500 && status !== 429 ? 'info' : 'warn';
}

/** Calls a function of the caller, which may be broken or asynchronous: no call depends on it. */
export function runQuietly(report: () => unknown): void {
  (async () => await report())().catch(() => undefined);
}
