import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config/service-config.ts';

/**
 * The service's log: a JSON object a line, times in ISO form. Nothing of a request but its route's pattern, method and
 * outcome may go in; there is no setting that logs addresses, headers or bodies.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = process.stdout,
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are logged by their kind (problem/to-problem.ts). One that gets here by mistake loses its message, which
      // could hold what was read or sent.
      serializers: { err: nameOnly, error: nameOnly },
    },
    destination,
  );
}

function nameOnly(error: unknown): unknown {
  return error instanceof Error ? { name: error.name } : error;
}
