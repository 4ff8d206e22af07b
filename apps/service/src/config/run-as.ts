import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { openSync, readFileSync } from 'node:fs';

/** For each file that root named on the command line: its descriptors, or the errors of opening it. */
const openedFiles = new Map<string, (number | Error)[]>();

/**
 * Parses an argument that names a file to read. Root opens it immediately, since only root may be able to read it.
 * Any other user opens it when it is read.
 */
export function parseFileToRead(path: string): string {
  if (getRunAsUser() !== undefined && path !== '-') {
    openedFiles.set(path, [...(openedFiles.get(path) ?? []), tryOpen(path)]);
  }
  return path;
}

export function parseFilesToRead(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseFileToRead(path)];
}

/**
 * Returns the descriptor of a file that root opened, for one reader, or undefined if the reader must open it. @throws
 * the error of opening it
 */
export function takeOpened(path: string): number | undefined {
  const found = openedFiles.get(path)?.shift();
  if (found instanceof Error) {
    throw found;
  }
  return found;
}

/** Reads a file that an option names. @throws OperatorError that names the option */
export function readOptionFile(option: string, file: string): string {
  try {
    return readFileSync(takeOpened(file) ?? file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `${option} ${file}: cannot be read (${getErrorCode(error)}).`,
      2,
      error,
    );
  }
}

/**
 * If the user is root, switches to the user and group named by `CAREGATE_RUN_AS` before a command does anything. A
 * file of root in the data folder would stop the service.
 */
export function becomeUser(): void {
  const user = getRunAsUser();
  delete process.env['CAREGATE_RUN_AS'];
  if (user !== undefined) {
    // Node has this function, but its types don't.
    (process as { initgroups?(user: string, group: string): void }).initgroups?.(user, user);
    process.setgid?.(user);
    process.setuid?.(user);
  }
}

/** Returns the user to switch to. The package's `caregate` command sets the variable. */
function getRunAsUser(): string | undefined {
  return process.getuid?.() === 0 ? process.env['CAREGATE_RUN_AS'] : undefined;
}

function tryOpen(path: string): number | Error {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return error as Error;
  }
}
