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

/** The databases of a data folder, held by this process alone: nobody else can open one until they are closed. */
export interface HeldFolder {
  readonly store: DatabaseSync;
  readonly access: DatabaseSync;
  /** Undefined where the folder was never served. */
  readonly audit: DatabaseSync | undefined;
  close(): void;
}

/**
 * Brings the tables of a data folder to their newest form and takes hold of them.
 *
 * @throws OperatorError where it is no data folder or a process uses it, StoreTooNewError
 */
export async function holdFolder(dataDir: string): Promise<HeldFolder> {
  if (!existsSync(storeFile(dataDir))) {
    throw new OperatorError(`${dataDir} is no data folder: it has no store.db.`, 2);
  }
  const accessFile = join(dataDir, 'access.db');
  const auditDb = join(dataDir, auditFile);
  // First of all, so that a folder which is served is left alone.
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
    // In this mode a file that any other connection has open, reading or writing, is busy, and stays this one's own.
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma cache_size = -65536');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) {
      throw new OperatorError(
        `${dataDir} is in use: stop the service and every other command on it, then move it.`,
        1,
        error,
      );
    }
    throw new OperatorError(`${file}: ${storeProblem(error) ?? 'cannot be read.'}`, 1, error);
  }
}
