import { Kysely, PostgresDialect, sql } from 'kysely';
import { join } from 'node:path';
import type pg from 'pg';
import { createPostgresTables, createSqliteTables } from '../database/create-tables.ts';
import { openPostgres, waitForPostgres } from '../database/postgres/open-postgres.ts';
import {
  createPreparedPool,
  createRetryingPool,
  type SampledTraceId,
} from '../database/postgres/prepared-pool.ts';
import { makeFolder, requireNotMoved } from '../database/sqlite/data-folder.ts';
import { openSqlite, openSqliteReader } from '../database/sqlite/open-sqlite.ts';
import { ImportDatabase } from './import-database.ts';
import { postgresPeopleIndex, sqlitePeopleIndex } from './people/people-index.ts';
import { createTables, storeSchema, type StoreSchema } from './schema.ts';
import { SqlStore } from './sql-store.ts';

/** Connections of a reading service, and the time in milliseconds that it waits for the database at startup. */
const CONNECTIONS = 10;
const STARTUP_WAIT_MS = 60_000;

/** API keys are in another file, so that an import never blocks them. */
export function getStoreFile(dataFolder: string): string {
  return join(dataFolder, 'store.db');
}

/** Location of a store: a data folder, or PostgreSQL if there is a URL. */
interface StoreLocation {
  readonly dataDir: string;
  readonly databaseUrl?: string;
}

/** Opens the store for reading. Creates it if it is missing. @throws PostgresUnavailableError */
export async function openStore(
  { dataDir, databaseUrl = '' }: StoreLocation,
  onWaiting?: (reason: string) => void,
  traceId?: SampledTraceId,
): Promise<SqlStore> {
  return databaseUrl === ''
    ? await openSqliteStore(dataDir)
    : await openPostgresStore(databaseUrl, onWaiting, traceId);
}

/** Opens the store for writing. Creates it if it is missing. @throws PostgresUnavailableError after `waitMs` */
export async function openStoreForWriting(
  { dataDir, databaseUrl = '' }: StoreLocation,
  waitMs = 0,
  onWaiting?: (reason: string) => void,
): Promise<ImportDatabase> {
  return databaseUrl === ''
    ? await openSqliteForWriting(dataDir)
    : await openPostgresForWriting(databaseUrl, waitMs, onWaiting);
}

export async function openSqliteStore(dataFolder: string): Promise<SqlStore> {
  await prepareFolder(dataFolder);
  const { db, close } = openSqliteReader<StoreSchema>(getStoreFile(dataFolder));
  return new SqlStore({ db, adHoc: db, people: sqlitePeopleIndex, close });
}

export async function openSqliteForWriting(dataFolder: string): Promise<ImportDatabase> {
  await prepareFolder(dataFolder);
  const db = openSqlite<StoreSchema>(getStoreFile(dataFolder));
  await sql.raw('pragma cache_size = -262144').execute(db);
  return new ImportDatabase(db, 'sqlite');
}

export async function openPostgresStore(
  url: string,
  onWaiting?: (reason: string) => void,
  traceId?: SampledTraceId,
): Promise<SqlStore> {
  const pool = openPostgres(url, 'caregate serve', { connections: CONNECTIONS });
  await prepareDatabase(pool, STARTUP_WAIT_MS, onWaiting);
  const createKysely = (wrapped: ReturnType<typeof createPreparedPool>): Kysely<StoreSchema> =>
    new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool: wrapped }) }).withSchema(
      storeSchema,
    );
  return new SqlStore({
    db: createKysely(createPreparedPool(pool, traceId)),
    adHoc: createKysely(createRetryingPool(pool, traceId)),
    people: postgresPeopleIndex,
    close: async () => {
      if (!pool.ending) {
        await pool.end();
      }
    },
  });
}

/** Uses one connection without statement timeout. */
export async function openPostgresForWriting(
  url: string,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<ImportDatabase> {
  const pool = openPostgres(url, 'caregate import', { statementTimeoutMs: 0 });
  await prepareDatabase(pool, waitMs, onWaiting);
  const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  // Without a query, Kysely would not close the pool, whose connection keeps the process alive for a minute.
  await sql`select 1`.execute(db);
  return new ImportDatabase(db, 'postgres');
}

async function prepareFolder(dataFolder: string): Promise<void> {
  makeFolder(dataFolder);
  requireNotMoved(dataFolder);
  const db = openSqlite<StoreSchema>(getStoreFile(dataFolder));
  try {
    await createSqliteTables(db, createTables('sqlite'));
  } finally {
    await db.destroy();
  }
  // The folder may have been moved while this process waited for the file.
  requireNotMoved(dataFolder);
}

/** Creates missing tables. Closes the pool if that fails. */
async function prepareDatabase(
  pool: pg.Pool,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<void> {
  try {
    await waitForPostgres(pool, waitMs, onWaiting);
    await createPostgresTables(pool, storeSchema, createTables('postgres'));
  } catch (error) {
    await pool.end();
    throw error;
  }
}
