import { sql, type Kysely, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import { StoreTooNewError, type Migrations } from '../sqlite/migrate.ts';
import { kyselyOver, withoutTimeouts } from './open-postgres.ts';

/**
 * Migrates a schema of a database (`store`, `audit`, …) in one transaction, and creates it if it is missing. Statements use
 * the tables of the schema unqualified. If the schema is current, this only reads; a lock serializes instances that start
 * at the same time.
 *
 * @throws StoreTooNewError if the schema has an unknown migration; nothing is changed
 */
export async function migratePostgres(
  pool: pg.Pool,
  schema: string,
  migrations: Migrations,
): Promise<void> {
  if (await isCurrent(kyselyOver<unknown>(pool), schema, migrations)) {
    return;
  }
  // Creating an index may take long, and so may waiting for another instance that does.
  await withoutTimeouts(pool, (alone) =>
    kyselyOver<unknown>(alone)
      .transaction()
      .execute(async (transaction) => {
        await sql`set local statement_timeout = 0`.execute(transaction);
        const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`caregate ${schema}`}, 0))`;
        await lock.execute(transaction);
        // Another instance may have migrated while this one waited for the lock.
        if (!(await isCurrent(transaction, schema, migrations))) {
          await upgrade(transaction, schema, migrations);
        }
      }),
  );
}

async function upgrade(
  transaction: Transaction<unknown>,
  schema: string,
  migrations: Migrations,
): Promise<void> {
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
}

async function isCurrent(
  db: Kysely<unknown>,
  schema: string,
  migrations: Migrations,
): Promise<boolean> {
  const applied = await appliedIn(db, schema);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new StoreTooNewError(unknown);
  }
  return applied.length === Object.keys(migrations).length;
}

/** Names of the migrations that the schema has. */
async function appliedIn(db: Kysely<unknown>, schema: string): Promise<readonly string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select exists (
      select from pg_catalog.pg_tables where schemaname = ${schema} and tablename = 'kysely_migration'
    )`.execute(db);
  if (found[0]?.exists !== true) {
    return [];
  }
  const table = sql.id(schema, 'kysely_migration');
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db);
  return rows.map(({ name }) => name);
}
