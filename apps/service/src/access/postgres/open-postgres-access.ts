import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import { preparedPool } from '../../database/postgres/prepared-pool.ts';
import type { AccessSchema } from '../access-schema.ts';
import { AccessStore } from '../access-store.ts';
import { inTurn } from '../../database/with-write-lock.ts';
import { keysTogether } from '../keys/key-look-up.ts';
import { accessTablesMigrations } from './access-tables.ts';

/**
 * The access data of a database, in its schema `access`, made where it is missing. To be asked of the primary alone: a
 * key's row is read for each request, so a revocation holds at once on every instance.
 *
 * @param pool ended when the store is closed
 * @throws StoreTooNewError
 */
export async function openPostgresAccess(
  pool: pg.Pool,
  options: { readonly now?: () => number } = {},
): Promise<AccessStore> {
  try {
    await migratePostgres(pool, 'access', accessTablesMigrations);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const dialect = new PostgresDialect({ pool: preparedPool(pool) });
  const db = new Kysely<AccessSchema>({ dialect }).withSchema('access');
  const close = async (): Promise<void> => {
    if (!pool.ending) {
      await pool.end();
    }
  };
  const database = { db, withWriteLock: inTurn, lookUp: keysTogether(db), close };
  return new AccessStore(database, options.now ?? Date.now);
}
