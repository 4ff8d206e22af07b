import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { openSqliteWriter as openSqliteDatabase } from '../../database/sqlite/open-sqlite.ts';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import { ImportDatabase } from '../import-database.ts';
import { prepareStore, storeFile } from '../open-store.ts';
import { preparePostgresStore } from '../postgres/open-postgres-store.ts';
import type { StoreSchema } from '../schema.ts';
import { ImportWriter } from './import-writer.ts';
import { PersonEraser } from './person-eraser.ts';

export async function openSqliteImport(dataFolder: string): Promise<ImportDatabase> {
  return new ImportDatabase(await openForWriting(dataFolder), 'sqlite');
}

export async function openSqliteWriter(dataFolder: string): Promise<ImportWriter> {
  return new ImportWriter(await openSqliteImport(dataFolder));
}

/** What is deleted is overwritten with zeros. */
export async function openSqliteEraser(dataFolder: string): Promise<PersonEraser> {
  const db = await openForWriting(dataFolder);
  await sql.raw('pragma secure_delete = ON').execute(db);
  return new PersonEraser(new ImportDatabase(db, 'sqlite'));
}

/** Opens the store for an import: one connection without a statement timeout. */
export async function openPostgresImport(
  url: string,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<ImportDatabase> {
  const pool = openPostgres(url, {
    applicationName: 'caregate import',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  await preparePostgresStore(pool, waitMs, onWaiting);
  return new ImportDatabase(kyselyOf(pool), 'postgres');
}

export async function openPostgresWriter(
  url: string,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<ImportWriter> {
  return new ImportWriter(await openPostgresImport(url, waitMs, onWaiting));
}

export async function openPostgresEraser(url: string, waitMs: number): Promise<PersonEraser> {
  return new PersonEraser(await openPostgresImport(url, waitMs));
}

async function openForWriting(dataFolder: string): Promise<Kysely<StoreSchema>> {
  await prepareStore(dataFolder);
  const db = openSqliteDatabase<StoreSchema>(storeFile(dataFolder));
  await sql.raw('pragma cache_size = -262144').execute(db);
  return db;
}

function kyselyOf(pool: pg.Pool): Kysely<StoreSchema> {
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
