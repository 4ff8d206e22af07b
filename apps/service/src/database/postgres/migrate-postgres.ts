import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import { StoreTooNewError, type Migrations } from '../sqlite/migrate.ts';
import { kyselyOver } from './open-postgres.ts';

/**
 * Brings one schema of a database (`store`, `audit`, …) to the newest of its migrations, all of them or none, making
 * the schema where it is missing. A migration's statements find that schema's tables without naming it. Where nothing is
 * to be done it only reads; several instances that start at once are put in line by a lock.
 *
 * @throws StoreTooNewError where the schema knows a migration that this program does not; nothing is changed then
 */
export async function migratePostgres(
  pool: pg.Pool,
  schema: string,
  migrations: Migrations,
): Promise<void> {
  const db = kyselyOver<unknown>(pool);
  if (await isCurrent(db, schema, migrations)) {
    return;
  }
  await db.transaction().execute(async (transaction) => {
    // A new index on much data may take long, and so may the other instance that makes it.
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`select pg_advisory_xact_lock(hashtextextended(${`caregate ${schema}`}, 0))`.execute(
      transaction,
    );
    // The other instance may have been first while this one waited for the lock.
    if (await isCurrent(transaction, schema, migrations)) {
      return;
    }
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
    await sql`set local search_path to ${sql.id(schema)}`.execute(transaction);
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
      migrationTableSchema: schema,
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) {
      throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
    }
  });
}

async function isCurrent(
  db: Kysely<unknown>,
  schema: string,
  migrations: Migrations,
): Promise<boolean> {
  const table = sql.id(schema, 'kysely_migration');
  const { rows: found } = await sql<{ exists: boolean }>`
    select exists (
      select from pg_catalog.pg_tables where schemaname = ${schema} and tablename = 'kysely_migration'
    )`.execute(db);
  if (found[0]?.exists !== true) {
    return false;
  }
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db);
  const unknown = rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new StoreTooNewError(unknown);
  }
  return rows.length === Object.keys(migrations).length;
}
