import { OperatorError } from '../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AccessStore } from '../access/access-store.ts';
import { LogReader } from '@caregate/audit-log';
import { whatShowsALog } from '../audit/offline/had-log.ts';
import { isBusy, storeProblem } from '../database/sqlite/sqlite-errors.ts';
import { prepareStore, storeFile } from '../source/store/open-store.ts';

/** The databases of a data folder, locked exclusively by this process until they are closed. */
export interface LockedFolder {
  readonly store: DatabaseSync;
  readonly access: DatabaseSync;
  /** Undefined if the folder was never served. */
  readonly audit: LogReader | undefined;
  close(): void;
}

/** @throws OperatorError if it is no data folder or in use, StoreTooNewError, LogRefusedError if its log has changed */
export async function lockFolder(dataDir: string): Promise<LockedFolder> {
  if (!existsSync(storeFile(dataDir))) {
    throw new OperatorError(`${dataDir} is not a data folder: it has no store.db.`, 2);
  }
  const accessFile = join(dataDir, 'access.db');
  const hadLog = whatShowsALog(dataDir);
  // First, so that a folder in use is not changed.
  [storeFile(dataDir), accessFile].filter(existsSync).forEach((file) => {
    hold(file, dataDir).close();
  });
  await prepareStore(dataDir);
  await (await AccessStore.open(dataDir)).close();
  const locks: { close(): void }[] = [];
  const take = (file: string): DatabaseSync => {
    const db = hold(file, dataDir);
    locks.push(db);
    return db;
  };
  const close = (): void => {
    locks.splice(0).forEach((db) => {
      db.close();
    });
  };
  try {
    const store = take(storeFile(dataDir));
    const access = take(accessFile);
    const audit = LogReader.lock(dataDir, hadLog);
    locks.push(...(audit === undefined ? [] : [audit]));
    return { store, access, audit, close };
  } catch (error) {
    close();
    throw error;
  }
}

function inUse(dataDir: string, cause: unknown): OperatorError {
  return new OperatorError(
    `${dataDir} is in use. Stop the service and all other commands that use it, then try again.`,
    1,
    cause,
  );
}

function hold(file: string, dataDir: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 500, allowExtension: false, defensive: true });
  try {
    // In this mode, opening fails with SQLITE_BUSY if another connection has the file open, and keeps the lock.
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma cache_size = -65536');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) {
      throw inUse(dataDir, error);
    }
    throw new OperatorError(`${file}: ${storeProblem(error) ?? 'cannot be read.'}`, 1, error);
  }
}
