import { join } from 'node:path';
import { makeFolder } from '../database/sqlite/make-folder.ts';
import { requireNotMoved } from '../database/sqlite/moved-folder.ts';
import { sqlitePeopleIndex } from './people/people-index.ts';
import { storeMigrations, type StoreSchema } from './schema.ts';
import { SqlStore } from './sql-store.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { openSqlite, openSqliteReader } from '../database/sqlite/open-sqlite.ts';

/** Keys are in another file, so that an import never blocks them. */
export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'store.db');
}

/** @throws StoreTooNewError if a newer version wrote it */
export async function openStore(dataFolder: string): Promise<SqlStore> {
  await prepareStore(dataFolder);
  const { db, close } = openSqliteReader<StoreSchema>(storeFile(dataFolder));
  return new SqlStore({ db, adHoc: db, people: sqlitePeopleIndex, close });
}

/** Creates folder and tables if they are missing. @throws StoreTooNewError if a newer version wrote it */
export async function prepareStore(dataFolder: string): Promise<void> {
  makeFolder(dataFolder);
  requireNotMoved(dataFolder);
  const db = openSqlite<StoreSchema>(storeFile(dataFolder));
  try {
    await migrate(db, storeMigrations);
  } finally {
    await db.destroy();
  }
  // It may have been moved while this process waited for the file.
  requireNotMoved(dataFolder);
}
