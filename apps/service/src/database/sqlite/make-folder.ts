import { OperatorError } from '../../config/operator-error.ts';
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../error-code.ts';

/** A folder that no call can make; the message is a sentence for the person who named it. */
export class FolderError extends OperatorError {
  override readonly name = 'FolderError';
  readonly code = 'ENOENT';
}

/**
 * Makes a data folder that its owner alone may read, and the folders above it. One that exists is left as it is.
 *
 * Not by Node's own `recursive`, which never returns where a file system takes no new folders, as /proc: it answers
 * "no such folder" to each try, although the folder above is there.
 *
 * @throws FolderError there; elsewhere the system's own error
 */
export function makeFolder(path: string): void {
  if (made(path)) {
    return;
  }
  const above = dirname(resolve(path));
  makeFolder(above);
  if (!made(path)) {
    throw new FolderError(`${path} cannot be made: ${above} takes no new folders.`);
  }
}

/** Whether the folder is there now; it is not where none is above it. */
function made(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
      return true;
    }
    if (code === 'ENOENT') {
      return false;
    }
    throw error;
  }
}
