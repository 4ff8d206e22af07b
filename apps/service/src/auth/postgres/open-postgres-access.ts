import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import {
  advisoryLock,
  migratePostgres,
  preparedPool,
  prepareOnPostgres,
} from '@caregate/data-store/database';
import { sampledTraceId } from '../../trace/request-trace.ts';
import { AccessStore, type AccessOptions } from '../access-store.ts';
import { accessMigrations, type AccessSchema } from '../access-schema.ts';

/** The primary, never a replica: a revocation must take effect at once. @param pool closed with the store */
export async function openPostgresAccess(
  pool: pg.Pool,
  options: AccessOptions = {},
): Promise<AccessStore> {
  try {
    await migratePostgres(pool, 'access', accessMigrations.postgres);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const dialect = new PostgresDialect({ pool: preparedPool(pool, sampledTraceId) });
  const db = new Kysely<AccessSchema>({ dialect }).withSchema('access');
  const close = async (): Promise<void> => {
    if (!pool.ending) {
      await pool.end();
    }
  };
  const database = {
    db,
    withWriteLock: advisoryLock('caregate access'),
    reader: db,
    prepare: prepareOnPostgres(pool, sampledTraceId),
    close,
  };
  return new AccessStore(database, options);
}
