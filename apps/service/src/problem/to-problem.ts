import { SourceError } from '@caregate/data-store';
import { databaseClass, isBusy, isUnanswered } from '@caregate/data-store/database';
import { invalidParameters, ProblemError } from './problem-error.ts';
import { problemTypeOfStatus } from './problems.ts';

/** Only a {@link ProblemError} has a specific detail: messages of other errors may contain request data. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) {
    return error;
  }
  if (error instanceof SourceError) {
    return sourceProblem(error);
  }
  if (isUnanswered(error) || isBusy(error)) {
    return new ProblemError(
      { type: 'unavailable', headers: { 'retry-after': '1' } },
      { cause: error },
    );
  }
  const status = statusOf(error);
  const type = status === undefined ? 'internal' : problemTypeOfStatus(status);
  return new ProblemError({ type }, { cause: error });
}

function sourceProblem(error: SourceError): ProblemError {
  const { kind, detail, retryAfterSeconds } = error;
  if (kind === 'stale-cursor') {
    const reason = 'is no longer valid; start again without it';
    return invalidParameters({ parameter: 'next_cursor', reason });
  }
  return new ProblemError(
    {
      type: kind,
      ...(detail !== undefined && { detail }),
      ...(retryAfterSeconds !== undefined && {
        headers: { 'retry-after': String(retryAfterSeconds) },
      }),
    },
    { cause: error.cause },
  );
}

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

/** Without the message, which may contain data. */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { name: typeof error };
  }
  const code: unknown = 'code' in error ? error.code : undefined;
  const kind = databaseClass(error);
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(kind === undefined ? {} : { class: kind }),
    at: (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}
