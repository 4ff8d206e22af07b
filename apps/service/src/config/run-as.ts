import { openSync } from 'node:fs';

/** Of each file that root named on the command line, its descriptors, or why there is none. */
const opened = new Map<string, (number | Error)[]>();

/**
 * Parses an argument that names a file to read. Root opens it at once, since it may be a file that only root may read; anybody else
 * opens it where it is read.
 */
export function parseFileToRead(path: string): string {
  if (userToBe() !== undefined && path !== '-') {
    opened.set(path, [...(opened.get(path) ?? []), tryOpen(path)]);
  }
  return path;
}

export function parseFilesToRead(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseFileToRead(path)];
}

/** The descriptor of a file that root named, for one reader; undefined if the reader has to open it. @throws what opening it threw */
export function takeOpened(path: string): number | undefined {
  const found = opened.get(path)?.shift();
  if (found instanceof Error) {
    throw found;
  }
  return found;
}

/**
 * Makes root the user, and the group of the same name, that `CAREGATE_RUN_AS` names, before a command does anything: a file of root's
 * in the data folder would stop the service.
 */
export function becomeUser(): void {
  const user = userToBe();
  delete process.env['CAREGATE_RUN_AS'];
  if (user !== undefined) {
    // Missing in the types of Node.
    (process as { initgroups?(user: string, group: string): void }).initgroups?.(user, user);
    process.setgid?.(user);
    process.setuid?.(user);
  }
}

/** The package's command sets it where root runs it. */
function userToBe(): string | undefined {
  return process.getuid?.() === 0 ? process.env['CAREGATE_RUN_AS'] : undefined;
}

function tryOpen(path: string): number | Error {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return error as Error;
  }
}
