import { isTooLate, isTransient } from '../database/postgres/postgres-errors.ts';
import { ProblemError } from './problem-error.ts';
import { problemTypeOfStatus, type ProblemType } from './problems.ts';

/**
 * What whoever called may learn of a failure. Only a {@link ProblemError} brings words of its own: messages of other
 * errors may repeat what was sent, so of those only the status is kept, and of unknown ones nothing at all.
 */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) {
    return error;
  }
  if (isTransient(error) || isTooLate(error)) {
    return new ProblemError(
      { type: 'unavailable', headers: { 'retry-after': '1' } },
      { cause: error },
    );
  }
  return new ProblemError({ type: typeOf(error) }, { cause: error });
}

function typeOf(error: unknown): ProblemType {
  // Fastify calls its own time-out for answers 503.
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_HANDLER_TIMEOUT') {
    return 'timeout';
  }
  const status = statusOf(error);
  return status === undefined ? 'internal' : problemTypeOfStatus(status);
}

/** The status of an error of Nest (`getStatus`) or of Fastify and its plugins (`statusCode`). */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  if ('getStatus' in error && typeof error.getStatus === 'function') {
    const status: unknown = (error as { getStatus: () => unknown }).getStatus();
    return typeof status === 'number' ? status : undefined;
  }
  return 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}

/** An error for the log: its kind and where it happened. Its message is left out, since it may hold what was read or sent. */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { name: typeof error };
  }
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    at: (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}
