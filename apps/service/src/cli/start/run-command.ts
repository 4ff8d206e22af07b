import { AuditBrokenError } from '../../audit/log/audit-broken-error.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { postgresProblem } from '../../database/postgres/postgres-errors.ts';
import { storeProblem } from '../../database/sqlite/sqlite-errors.ts';

/** What a command prints, or the code that it ends with. */
export type Outcome = string | number | undefined;

/**
 * Does the work of a command: prints the text that it gives, or ends with its number. A failure that is known is a line
 * on standard error and its exit code; any other is thrown.
 *
 * @param failure the code of every failure, where a command has its own meaning for 2
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
 * What is known to go wrong, in plain lines; anything else comes back as it is.
 *
 * @param about the address of this start, for the message
 */
export function operatorError(
  error: unknown,
  about: { readonly host?: string; readonly port?: number } = {},
): unknown {
  if (error instanceof OperatorError) {
    return error;
  }
  if (error instanceof AuditBrokenError) {
    const where = error.seq === undefined ? '' : `, record ${error.seq}`;
    return new OperatorError(
      `The audit log fails its verification (${error.breach}${where}): ${error.message}. Nothing is done with it; keep the data as it is and run caregate audit verify.`,
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
        EADDRINUSE: `Port ${port} on ${host} is in use. Stop what uses it, or choose another with --port (0 takes any).`,
        EACCES: `Port ${port} on ${host} may not be used by this account. Choose one above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}.`,
        ENOTFOUND: `The host name ${host} is not known here.`,
      }[code] ?? `The service cannot listen on ${host}, port ${port} (${code}).`
    );
  }
  const path = 'path' in error ? String(error.path) : 'A file';
  return {
    EACCES: `${path} may not be used by this account.`,
    EPERM: `${path} may not be used by this account.`,
    EROFS: `${path} is on a file system that cannot be written to.`,
    ENOSPC: `The disk is full: ${path}.`,
    ENOTDIR: `${path} is not in a folder: a part of it is a file.`,
    EEXIST: `${path} is a file, not a folder.`,
    EISDIR: `${path} is a folder, not a file.`,
    ENOENT: `${path} does not exist.`,
  }[code];
}
