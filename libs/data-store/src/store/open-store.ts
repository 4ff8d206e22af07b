import { sql } from 'kysely';
import { join } from 'node:path';
import { makeFolder } from '../database/sqlite/make-folder.ts';
import { requireNotMoved } from '../database/sqlite/moved-folder.ts';
import { tokenText } from './people/people-index.ts';
import { storeMigrations, type StoreSchema } from './schema.ts';
import { SqlStore } from './sql-store.ts';
import type { PeopleBehind, PeopleWith } from './people/people-queries.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { openSqlite, openSqliteReader } from '../database/sqlite/open-sqlite.ts';

/** Keys are in another file, so that an import never blocks them. */
export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'store.db');
}

/** FTS5 reads the lists side by side and stops early; a cross join keeps SQLite from reading all people of the team first. */
const peopleWith: PeopleWith = (db, team, tokens) => {
  const lists = tokens.map((list) => `(${list.map((one) => `"${tokenText(one)}"`).join(' OR ')})`);
  return db
    .selectFrom(sql<{ rowid: number }>`people_index`.as('found'))
    .crossJoin('people')
    .where(sql<boolean>`found.people_index match ${lists.join(' AND ')}`)
    .where(sql<boolean>`people.number = found.rowid`)
    .where('people.team_id', '=', team);
};

const peopleBehind: PeopleBehind = (db, { team, tokens, after, limit }) =>
  peopleWith(db, team, tokens)
    .select(['people.facts', sql<number>`found.rowid`.as('place')])
    .$if(after !== undefined, (query) => query.where(sql<boolean>`found.rowid > ${after}`))
    .orderBy(sql`found.rowid`)
    .limit(limit)
    .execute();

/** @throws StoreTooNewError if a newer version wrote it */
export async function openStore(dataFolder: string): Promise<SqlStore> {
  await prepareStore(dataFolder);
  const { db, close } = openSqliteReader<StoreSchema>(storeFile(dataFolder));
  const engine = {
    db,
    adHoc: db,
    peopleWith,
    peopleBehind,
  };
  return new SqlStore({ ...engine, close });
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
