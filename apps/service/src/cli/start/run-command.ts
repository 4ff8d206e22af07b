import { AuditBrokenError, AuditLogError, AuditUnavailableError } from '@caregate/audit-log';
import { OperatorError } from '../../config/operator-error.ts';
import { postgresProblem, storeProblem } from '@caregate/data-store/database';
import { printableJson, printableLines } from './printable.ts';
import { progressLine, type ProgressLine } from './progress-line.ts';

export interface Output {
  readonly json: unknown;
  readonly text: string;
}

/** A number is an exit code. */
export type Outcome = Output | number | undefined;

export function output(json: unknown, text: string): Output {
  return { json, text };
}

export function print({ json, text }: Output): void {
  process.stdout.write(wantsJson() ? `${printableJson(json)}\n` : printableLines(text));
}

/** Before parsing, for usage errors. */
function wantsJson(): boolean {
  return process.argv.includes('--json');
}

export function failureText(message: string): string {
  return `${wantsJson() ? printableJson({ error: message }) : printableLines(message)}\n`;
}

type Work = (progress: ProgressLine) => Outcome | Promise<Outcome> | Promise<void>;

/** Throws unknown errors. `failure` is the exit code of known ones where 2 means something else. */
export async function runCommand(work: Work, failure?: number): Promise<void> {
  const line = progressLine(process.stderr);
  try {
    const outcome = await work(line);
    line.clear();
    if (typeof outcome === 'number') {
      process.exitCode = outcome;
    } else if (typeof outcome === 'object') {
      print(outcome);
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
  if (error instanceof AuditUnavailableError) {
    const why = error.cause && operatorError(error.cause);
    const known = why instanceof OperatorError ? ` ${why.message}` : '';
    return new OperatorError(`${error.message}.${known}`, 1, error);
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

/** Without the message, which may contain data. */
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
