import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getErrorCode, OperatorError } from '../../operator-error.ts';
import { isBusy } from './sqlite-errors.ts';

export class FolderError extends OperatorError {
  override readonly name = 'FolderError';
  readonly code = 'ENOENT';
}

/**
 * Creates a folder and its parents. Node's `recursive` option never returns on file systems such as /proc. @throws
 * FolderError there
 */
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

/** Returns false if the parent folder is missing. */
function createFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = getErrorCode(error);
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
 * Locks a data folder until `close`, or until the process ends. The lock is a SQLite transaction, since Node has no
 * flock.
 *
 * @throws OperatorError if a service, or a command that must run alone, has the lock
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

/** Returns the path of a file that exists in a moved folder and contains the destination as `host:port/database`. */
export function getMovedMarkerFile(dataFolder: string): string {
  return join(dataFolder, 'moved-to-database');
}

/** Returns the database that a folder's data was moved to, as `host:port/database`; undefined if it was not moved. */
export function readMovedDestination(dataFolder: string): string | undefined {
  const file = getMovedMarkerFile(dataFolder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A moved folder must not be served, since its audit log would grow in two places. @throws FolderError */
export function requireNotMoved(dataFolder: string): void {
  const destination = readMovedDestination(dataFolder);
  if (destination !== undefined) {
    throw new FolderError(
      `The data of ${dataFolder} was moved to PostgreSQL at ${destination}: set DATABASE_URL to that database.`,
    );
  }
}

/** Returns the path of a file that each backup writes, so that its time is that of the last backup. */
export function getLastBackupFile(dataDir: string): string {
  return join(dataDir, 'last-backup');
}
