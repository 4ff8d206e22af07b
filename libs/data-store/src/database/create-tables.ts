import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import { createPostgresKysely } from './postgres/open-postgres.ts';
import { createAdvisoryLock, withWriteLock } from './with-write-lock.ts';

/** Creates the tables of a SQLite file in one transaction. If they exist, it never waits for a writer. */
export async function createSqliteTables<DB>(
  db: Kysely<DB>,
  statements: readonly string[],
): Promise<void> {
  const tables = sql`select 1 from sqlite_schema limit 1`;
  if ((await tables.execute(db)).rows.length > 0) {
    return;
  }
  await withWriteLock(db, async (transaction) => {
    if ((await tables.execute(transaction)).rows.length === 0) {
      await runAll(transaction, statements);
    }
  });
}

/**
 * Creates the tables of a PostgreSQL schema in one transaction. A lock serializes instances that start at the same
 * time.
 */
export async function createPostgresTables(
  pool: pg.Pool,
  schema: string,
  statements: readonly string[],
): Promise<void> {
  const db = createPostgresKysely<unknown>(pool);
  if (await hasPostgresTables(db, schema)) {
    return;
  }
  await createAdvisoryLock(`caregate ${schema}`)(db, async (transaction) => {
    if (await hasPostgresTables(transaction, schema)) {
      return;
    }
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
    await sql`set local search_path to ${sql.id(schema)}`.execute(transaction);
    await runAll(transaction, statements);
  });
}

export async function hasPostgresTables(db: Kysely<unknown>, schema: string): Promise<boolean> {
  const tables = sql`select 1 from pg_catalog.pg_tables where schemaname = ${schema} limit 1`;
  return (await tables.execute(db)).rows.length > 0;
}

async function runAll<DB>(db: Kysely<DB>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}
