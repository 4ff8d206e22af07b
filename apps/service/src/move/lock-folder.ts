import { OperatorError } from '../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AccessStore } from '../access/access-store.ts';
import { auditFile, auditMigrations } from '../audit/log/audit-schema.ts';
import { isBusy, storeProblem } from '../database/sqlite/sqlite-errors.ts';
import { prepareStore, storeFile } from '../source/store/open-store.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';

/** The databases of a data folder, locked exclusively by this process until they are closed. */
export interface LockedFolder {
  readonly store: DatabaseSync;
  readonly access: DatabaseSync;
  /** Undefined if the folder was never served. */
  readonly audit: DatabaseSync | undefined;
  close(): void;
}

/**
 * Migrates the databases of a data folder and locks them.
 *
 * @throws OperatorError if it is not a data folder or in use, StoreTooNewError
 */
export async function lockFolder(dataDir: string): Promise<LockedFolder> {
  if (!existsSync(storeFile(dataDir))) {
    throw new OperatorError(`${dataDir} is not a data folder: it has no store.db.`, 2);
  }
  const accessFile = join(dataDir, 'access.db');
  const auditDb = join(dataDir, auditFile);
  // First, so that a folder in use is not changed.
  [storeFile(dataDir), accessFile, auditDb].filter(existsSync).forEach((file) => {
    hold(file, dataDir).close();
  });
  await prepareStore(dataDir);
  await (await AccessStore.open(dataDir)).close();
  if (existsSync(auditDb)) {
    const db = openSqlite(auditDb);
    await migrate(db, auditMigrations).finally(() => db.destroy());
  }
  const held: DatabaseSync[] = [];
  const take = (file: string): DatabaseSync => {
    const db = hold(file, dataDir);
    held.push(db);
    return db;
  };
  const close = (): void => {
    held.splice(0).forEach((db) => {
      db.close();
    });
  };
  try {
    const store = take(storeFile(dataDir));
    const access = take(accessFile);
    return { store, access, audit: existsSync(auditDb) ? take(auditDb) : undefined, close };
  } catch (error) {
    close();
    throw error;
  }
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
      throw new OperatorError(
        `${dataDir} is in use. Stop the service and all other commands that use it, then try again.`,
        1,
        error,
      );
    }
    throw new OperatorError(`${file}: ${storeProblem(error) ?? 'cannot be read.'}`, 1, error);
  }
}
