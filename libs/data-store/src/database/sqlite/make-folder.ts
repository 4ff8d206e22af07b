import { errorCode, OperatorError } from '../../operator-error.ts';
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export class FolderError extends OperatorError {
  override readonly name = 'FolderError';
  readonly code = 'ENOENT';
}

/** Node's `recursive` never returns on file systems such as /proc. @throws FolderError there */
export function makeFolder(path: string): void {
  if (made(path)) {
    return;
  }
  const above = dirname(resolve(path));
  makeFolder(above);
  if (!made(path)) {
    throw new FolderError(`${path} cannot be created: folders cannot be created in ${above}.`);
  }
}

/** False if its parent is missing. */
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
