import { AuditBrokenError, AuditLogError } from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { postgresProblem } from '../../database/postgres/postgres-errors.ts';
import { storeProblem } from '../../database/sqlite/sqlite-errors.ts';
import { progressLine, type ProgressLine } from './progress-line.ts';

/** What a command tells: one document for programs (`--json`), a text for people. */
export interface Told {
  readonly json: unknown;
  readonly text: string;
}

/** The output of a command, or its exit code where it has printed already. A text alone would leave programs without it. */
export type Outcome = Told | number | undefined;

export function told(json: unknown, text: string): Told {
  return { json, text };
}

/** Whether this process was asked to speak to a program. Known before a command is parsed, for errors in its usage. */
function wantsJson(): boolean {
  return process.argv.includes('--json');
}

/** What is printed on standard error of a failure. */
export function failureText(message: string): string {
  return `${wantsJson() ? JSON.stringify({ error: message }) : message}\n`;
}

/** What a command does; where it can take longer than two seconds, it draws how far it is (`progress.spec.ts`). */
type Work = (progress: ProgressLine) => Outcome | Promise<Outcome> | Promise<void>;

/**
 * Runs a command: prints the result, or sets it as the exit code if it is a number. Known errors are printed and set the
 * exit code; others are thrown. Its line of progress is gone before anything is printed.
 *
 * @param failure exit code of all known errors, for commands in which 2 has another meaning
 */
export async function runCommand(work: Work, failure?: number): Promise<void> {
  const line = progressLine(process.stderr);
  try {
    const outcome = await work(line);
    line.clear();
    if (typeof outcome === 'number') {
      process.exitCode = outcome;
    } else if (typeof outcome === 'object') {
      process.stdout.write(wantsJson() ? `${JSON.stringify(outcome.json)}\n` : outcome.text);
    }
  } catch (error) {
    line.clear();
    const known = operatorError(error);
    if (!(known instanceof OperatorError)) {
      throw error;
    }
    process.stderr.write(failureText(known.message));
    process.exitCode = failure ?? known.exitCode;
  }
}

/**
 * Known errors with a message for the user; other errors are returned unchanged.
 *
 * @param about the address to listen on, for the message
 */
export function operatorError(
  error: unknown,
  about: { readonly host?: string; readonly port?: number } = {},
): unknown {
  if (error instanceof OperatorError) {
    return error;
  }
  if (error instanceof AuditLogError) {
    return new OperatorError(error.message, 1, error);
  }
  if (error instanceof AuditBrokenError) {
    const where = error.seq === undefined ? '' : `, record ${error.seq}`;
    return new OperatorError(
      `The audit log failed verification (${error.breach}${where}): ${error.message}. Nothing was done. Do not change the data; run caregate audit verify.`,
      1,
      error,
    );
  }
  const message = storeProblem(error) ?? systemProblem(error, about) ?? postgresProblem(error);
  return message === undefined ? error : new OperatorError(message, 1, error);
}

/** An unexpected error with its stack frames. Messages may contain data, so only system calls are described. */
export function unexpectedText(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'caregate failed unexpectedly.';
  }
  const isSystemCall = 'syscall' in error && 'code' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const what = isSystemCall ? `${String(error.code)} in ${String(error.syscall)}` : error.name;
  return [`caregate failed unexpectedly: ${what}`, ...frames].join('\n');
}

function systemProblem(
  error: unknown,
  { host = '', port = 0 }: { readonly host?: string; readonly port?: number },
): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('syscall' in error)) {
    return undefined;
  }
  const code = String(error.code);
  if (error.syscall === 'listen' || error.syscall === 'getaddrinfo' || error.syscall === 'bind') {
    return (
      {
        EADDRINUSE: `Port ${port} on ${host} is already in use. Stop the process that uses it, or choose another port with --port (0 for any free port).`,
        EACCES: `Port ${port} on ${host} requires more privileges. Choose a port above 1023.`,
        EADDRNOTAVAIL: `This machine does not have the address ${host}.`,
        ENOTFOUND: `The host name ${host} cannot be resolved.`,
      }[code] ?? `The service cannot listen on ${host}, port ${port} (${code}).`
    );
  }
  const path = 'path' in error ? String(error.path) : 'A file';
  return {
    EACCES: `Permission denied: ${path}.`,
    EPERM: `Operation not permitted: ${path}.`,
    EROFS: `${path} is on a read-only file system.`,
    ENOSPC: `The disk is full: ${path}.`,
    ENOTDIR: `${path} is not a valid path: a parent of it is a file, not a folder.`,
    EEXIST: `${path} is a file, not a folder.`,
    EISDIR: `${path} is a folder, not a file.`,
    ENOENT: `${path} does not exist.`,
  }[code];
}
