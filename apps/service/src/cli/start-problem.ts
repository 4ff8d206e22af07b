import { NarrowingError } from '../access/permission-table.ts';
import { AuditBrokenError } from '../audit/log/audit-broken-error.ts';
import { ConfigError } from '../config/service-config.ts';
import { ImportFailedError } from '../source/store/import/import-types.ts';
import { PostgresUnavailableError } from '../database/postgres/open-postgres.ts';
import { postgresProblem } from '../database/postgres/postgres-errors.ts';
import { storeProblem } from '../database/sqlite/sqlite-errors.ts';
import { FolderError } from '../database/sqlite/make-folder.ts';
import { StoreTooNewError } from '../database/sqlite/migrate.ts';

/** Why the service does not start, in words for the person who starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/**
 * What is known to go wrong at a start, in plain lines; anything else comes back as it is.
 *
 * @param about the address and files of this start, for the message
 */
export function startError(
  error: unknown,
  about: { readonly host?: string; readonly port?: number } = {},
): unknown {
  if (error instanceof StartError) {
    return error;
  }
  if (error instanceof ConfigError) {
    return new StartError(error.message, 2, error);
  }
  if (error instanceof NarrowingError) {
    return new StartError(`CAREGATE_NARROW: ${error.message}`, 2, error);
  }
  if (
    error instanceof StoreTooNewError ||
    error instanceof ImportFailedError ||
    error instanceof FolderError ||
    error instanceof PostgresUnavailableError
  ) {
    return new StartError(error.message, 1, error);
  }
  if (error instanceof AuditBrokenError) {
    const where = error.seq === undefined ? '' : ` (record ${error.seq})`;
    return new StartError(
      `The audit log is not as it was written${where}: ${error.message}. Nothing is served on it; keep the data as it is and run caregate audit verify.`,
      1,
      error,
    );
  }
  const message = storeProblem(error) ?? systemProblem(error, about) ?? postgresProblem(error);
  return message === undefined ? error : new StartError(message, 1, error);
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

/** The exit code of a command's work; a failure that is known is told in plain lines. */
export async function orPlainLine(work: () => Promise<void>): Promise<0 | 1 | 2> {
  try {
    await work();
    return 0;
  } catch (error) {
    const known = startError(error);
    if (known instanceof StartError) {
      process.stderr.write(`${known.message}\n`);
      return known.exitCode;
    }
    throw error;
  }
}
