import { AuditBrokenError, AuditLogError, AuditUnavailableError } from '@caregate/audit-log';
import { describePostgresProblem, describeStoreProblem } from '@caregate/data-store/database';
import { OperatorError } from '@caregate/data-store/errors';

/**
 * Explains an error of the system, a store, a database or the audit log in a sentence. Returns other errors
 * unchanged.
 */
export function toOperatorError(
  error: unknown,
  about: { readonly host?: string; readonly port?: number } = {},
): unknown {
  if (error instanceof OperatorError) {
    return error;
  }
  if (error instanceof AuditLogError) {
    return new OperatorError(error.message, 1, error);
  }
  if (error instanceof AuditUnavailableError) {
    const why = error.cause && toOperatorError(error.cause);
    const reason = why instanceof OperatorError ? ` ${why.message}` : '';
    return new OperatorError(`${error.message}.${reason}`, 1, error);
  }
  if (error instanceof AuditBrokenError) {
    const where = error.seq === undefined ? '' : `, record ${error.seq}`;
    return new OperatorError(
      `The audit log failed verification (${error.breach}${where}): ${error.message}. Nothing was done. Do not change the data; run caregate audit verify.`,
      1,
      error,
    );
  }
  const message =
    describeStoreProblem(error) ??
    describeSystemError(error, about) ??
    describePostgresProblem(error);
  return message === undefined ? error : new OperatorError(message, 1, error);
}

function describeSystemError(
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
        EADDRINUSE: `Port ${port} on ${host} is already in use. Stop the process that uses it, or choose another port (0 for any free port).`,
        EACCES: `Port ${port} on ${host} requires more privileges. Choose a port above 1023.`,
        EADDRNOTAVAIL: `This machine does not have the address ${host}.`,
        ENOTFOUND: `The host name ${host} cannot be resolved.`,
      }[code] ?? `The service cannot listen on ${host}, port ${port} (${code}).`
    );
  }
  if (code === 'ENOSPC' && !('path' in error)) {
    return 'The disk is full.';
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
