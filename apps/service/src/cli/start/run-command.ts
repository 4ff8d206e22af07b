import { AuditBrokenError, AuditLogError } from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { postgresProblem } from '../../database/postgres/postgres-errors.ts';
import { storeProblem } from '../../database/sqlite/sqlite-errors.ts';

/** The output of a command, or its exit code. */
export type Outcome = string | number | undefined;

/**
 * Runs a command: prints the result, or sets it as the exit code if it is a number. Known errors are printed and set the
 * exit code; others are thrown.
 *
 * @param failure exit code of all known errors, for commands in which 2 has another meaning
 */
export async function runCommand(
  work: () => Outcome | Promise<Outcome> | Promise<void>,
  failure?: number,
): Promise<void> {
  try {
    const outcome = await work();
    if (typeof outcome === 'number') {
      process.exitCode = outcome;
    } else if (typeof outcome === 'string') {
      process.stdout.write(outcome);
    }
  } catch (error) {
    const known = operatorError(error);
    if (!(known instanceof OperatorError)) {
      throw error;
    }
    process.stderr.write(`${known.message}\n`);
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

function systemProblem(
  error: unknown,
  { host = '', port = 0 }: { readonly host?: string; readonly port?: number },
): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) {
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
