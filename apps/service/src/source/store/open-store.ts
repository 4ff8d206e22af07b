import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../database/sqlite/make-folder.ts';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';
import { storeMigrations, type StoreSchema } from './schema.ts';
import { SqlStore } from './sql-store.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import { openRawSqlite, openSqlite } from '../../database/sqlite/open-sqlite.ts';

/** Where the health data of a data folder is. Keys and roles are in another file, so that an import never blocks them. */
export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'store.db');
}

/**
 * Opens the store of a data folder for reading; makes folder and tables where they are missing.
 *
 * @throws StoreTooNewError where a newer program wrote it
 */
export async function openStore(dataFolder: string): Promise<SqlStore> {
  await prepareStore(dataFolder);
  return new SqlStore(openSqlite<StoreSchema>(storeFile(dataFolder)));
}

/** Opens the same store for the import, which works without Kysely and decides itself how long to wait for a lock. */
export async function openStoreForWriting(dataFolder: string): Promise<DatabaseSync> {
  await prepareStore(dataFolder);
  const raw = openRawSqlite(storeFile(dataFolder), { cacheMiB: 256 });
  raw.exec('pragma busy_timeout = 200');
  return raw;
}

/** Makes the folder (readable by its owner alone) and brings the tables to the newest form. */
export async function prepareStore(dataFolder: string): Promise<void> {
  makeFolder(dataFolder);
  requireNotMoved(dataFolder);
  const db = openSqlite<StoreSchema>(storeFile(dataFolder));
  try {
    await migrate(db, storeMigrations);
  } finally {
    await db.destroy();
  }
  // It may have been moved while this waited for the file.
  requireNotMoved(dataFolder);
}
