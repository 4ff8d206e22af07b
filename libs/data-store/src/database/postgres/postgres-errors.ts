import { getErrorCode } from '../../operator-error.ts';

/** Error codes of temporary failures, see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENOTFOUND',
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02', // crash
  '57P03', // starting up, or shutting down
]);

/** Messages of `pg` about lost connections, which have no code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/u;

const queryTimeoutMessage = 'Query read timeout';

const classes: readonly (readonly [sign: string, name: string])[] = [
  ['ECONNREFUSED', 'connect_refused'],
  ['ENOTFOUND', 'unknown_host'],
  ['ECONNRESET', 'connection_lost'],
  ['Connection terminated', 'connection_lost'],
  ['timeout exceeded when trying to connect', 'pool_timeout'],
  [queryTimeoutMessage, 'query_timeout'],
  ['57014', 'query_timeout'],
  ['57P01', 'admin_shutdown'],
  ['57P02', 'crash_shutdown'],
  ['57P03', 'cannot_connect_now'],
  ['53100', 'disk_full'],
  ['53300', 'too_many_connections'],
  ['28P01', 'wrong_password'],
  ['25006', 'read_only'],
];

export function classifyDatabaseError(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return classifyDatabaseError(error.errors[0]);
  }
  const signs = [getErrorCode(error), error instanceof Error ? error.message : ''];
  return classes.find(([sign]) => signs.some((one) => one.startsWith(sign)))?.[1];
}

function isQueryTimeout(error: unknown): boolean {
  return (
    getErrorCode(error) === '57014' ||
    (error instanceof Error && error.message === queryTimeoutMessage)
  );
}

/** Whether the response was lost or timed out. */
export function isUnanswered(error: unknown): boolean {
  return isTransient(error) || isQueryTimeout(error);
}

/**
 * Whether an error is temporary. The statement may have been executed, so a read can be retried, but a write only if
 * it is idempotent.
 */
export function isTransient(error: unknown): boolean {
  const code = getErrorCode(error);
  return (
    transientCodes.has(code) ||
    code.startsWith('08') ||
    (error instanceof Error && connectionLost.test(error.message)) ||
    // All addresses of the host are unreachable.
    (error instanceof AggregateError && error.errors.some(isTransient))
  );
}

const reasons = new Map([
  ['ECONNREFUSED', 'connection refused (no server is listening)'],
  ['ENOTFOUND', 'the host name cannot be resolved'],
  ['EAI_AGAIN', 'the host name cannot be resolved at the moment'],
  ['28P01', 'wrong password or unknown user'],
  ['28000', 'this user is not allowed to connect from this machine'],
  ['3D000', 'the database does not exist'],
  ['42501', 'this user lacks a privilege'],
  ['53100', 'the disk of the server is full'],
  ['53300', 'the server has too many connections'],
  ['57014', 'a statement timed out'],
  ['57P03', 'the server is starting up or shutting down'],
  ['25006', 'the server is read-only (a standby?)'],
]);

/** Describes an error without values of a statement and without the URL. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return describeError(error.errors[0]);
  }
  const code = getErrorCode(error);
  if (code === '') {
    // A message of `pg` itself. Errors of statements have a code, and may quote values.
    return error instanceof Error ? error.message : 'unknown error';
  }
  return reasons.get(code) ?? `error ${code}`;
}

export function describePostgresProblem(error: unknown): string | undefined {
  const isDatabaseError = isTransient(error) || /^[0-9A-Z]{5}$/u.test(getErrorCode(error));
  return isDatabaseError ? `PostgreSQL: ${describeError(error)}.` : undefined;
}
