import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, OperatorError } from '../../operator-error.ts';
import { isBusy } from './sqlite-errors.ts';

export class FolderError extends OperatorError {
  override readonly name = 'FolderError';
  readonly code = 'ENOENT';
}

/** Node's `recursive` never returns on file systems such as /proc. @throws FolderError there */
export function makeFolder(path: string): void {
  if (createFolder(path)) {
    return;
  }
  const above = dirname(resolve(path));
  makeFolder(above);
  if (!createFolder(path)) {
    throw new FolderError(`${path} cannot be created: folders cannot be created in ${above}.`);
  }
}

/** False if its parent is missing. */
function createFolder(path: string): boolean {
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

/**
 * Holds a data folder for one process until `close`, or until the process ends: a transaction of SQLite, since Node has no flock.
 *
 * @throws OperatorError if a service, or a command that must be alone, holds it
 */
export function lockFolder(dataDir: string): { close(): void } {
  const db = new DatabaseSync(join(dataDir, 'service-lock.db'), {
    timeout: 500,
    allowExtension: false,
  });
  try {
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if (!isBusy(error)) {
      throw error;
    }
    throw new OperatorError(
      `${dataDir} is in use by another caregate process, probably the service. Stop it, then try again.`,
      1,
      error,
    );
  }
}

/** A file that contains the destination as `host:port/database`. */
export function movedMarker(dataFolder: string): string {
  return join(dataFolder, 'moved-to-database');
}

/** The database that has the data of a folder, as `host:port/database`; undefined if it was not moved. */
export function movedTo(dataFolder: string): string | undefined {
  const file = movedMarker(dataFolder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A moved folder must not be served: its log would grow in two places. @throws FolderError */
export function requireNotMoved(dataFolder: string): void {
  const to = movedTo(dataFolder);
  if (to !== undefined) {
    throw new FolderError(
      `The data of ${dataFolder} was moved to PostgreSQL at ${to}: set DATABASE_URL to that database.`,
    );
  }
}

/** Written when a backup was made: its time is that of the last one. */
export function lastBackupFile(dataDir: string): string {
  return join(dataDir, 'last-backup');
}
