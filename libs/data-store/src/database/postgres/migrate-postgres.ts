import { sql } from 'kysely';
import type pg from 'pg';
import { isCurrent, runMissing, type Migrations } from '../sqlite/migrate.ts';
import { kyselyOver, withoutTimeouts } from './open-postgres.ts';

/** In one transaction; a lock serializes instances that start at the same time. @throws StoreTooNewError */
export async function migratePostgres(
  pool: pg.Pool,
  schema: string,
  migrations: Migrations,
): Promise<void> {
  if (await isCurrent(kyselyOver(pool), migrations, schema)) {
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
        await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
        await sql`set local search_path to ${sql.id(schema)}`.execute(transaction);
        await runMissing(transaction, migrations, schema);
      }),
  );
}
