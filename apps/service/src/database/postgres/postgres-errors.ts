import { errorCode } from '../error-code.ts';

/** The network's and the server's ways to say: not now. SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const transient = new Set([
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

/** What `pg` says, without a code, of a connection that is gone or did not come about. */
const lost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/u;

/** What `pg` says, without a code, of a statement that was not answered in time. */
const unanswered = 'Query read timeout';

/** Whether the database ended a statement that took too long, or said nothing for as long. */
export function isTooLate(error: unknown): boolean {
  return errorCode(error) === '57014' || (error instanceof Error && error.message === unanswered);
}

/**
 * Whether the same may work on another connection in a moment. It does not tell whether the statement was carried out:
 * a read may be asked again, a write only where doing it twice is the same as once.
 */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  return (
    transient.has(code) ||
    code.startsWith('08') ||
    (error instanceof Error && lost.test(error.message)) ||
    // A host with several addresses of which none answers.
    (error instanceof AggregateError && error.errors.some(isTransient))
  );
}

/** The database, or the machine it is on, refuses what was asked: in words for a person. */
const reasons = new Map([
  ['ECONNREFUSED', 'nothing listens there (connection refused)'],
  ['ENOTFOUND', 'the host name is not known here'],
  ['EAI_AGAIN', 'the host name cannot be looked up now'],
  ['28P01', 'the password is wrong, or there is no such user'],
  ['28000', 'this user may not connect from here'],
  ['3D000', 'there is no such database'],
  ['42501', 'this user lacks a right'],
  ['53100', 'its disk is full'],
  ['53300', 'it has too many connections'],
  ['57014', 'a statement took too long'],
  ['57P03', 'it is starting up or shutting down'],
  ['25006', 'it takes no writes (a standby?)'],
]);

/** Why, in a few words; never with a value of a statement or of the address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return reasonOf(error.errors[0]);
  }
  const code = errorCode(error);
  if (code === '') {
    // What `pg` says itself; a statement's error has a code and may quote a value.
    return error instanceof Error ? error.message : 'unknown error';
  }
  return reasons.get(code) ?? `error ${code}`;
}

/** What an error of PostgreSQL means, in a sentence, or undefined where it is none. */
export function postgresProblem(error: unknown): string | undefined {
  const known = isTransient(error) || /^[0-9A-Z]{5}$/u.test(errorCode(error));
  return known ? `PostgreSQL: ${reasonOf(error)}.` : undefined;
}
