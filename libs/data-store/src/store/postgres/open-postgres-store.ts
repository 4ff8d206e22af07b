import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import {
  DATABASE_TIMEOUT_MS,
  openPostgres,
  waitForPostgres,
} from '../../database/postgres/open-postgres.ts';
import type { SampledTraceId } from '../../database/postgres/prepared-pool.ts';
import { postgresStoreMigrations, storeSchema } from '../schema.ts';
import { postgresStore } from './postgres-store.ts';
import type { SqlStore } from '../sql-store.ts';

const CONNECTIONS = 10;
/** For the database, at startup. */
const WAIT_MS = 60_000;

/** Waits for the database, creates tables. @throws PostgresUnavailableError, StoreTooNewError if a newer version wrote it */
export async function openPostgresStore(
  url: string,
  onWaiting?: (reason: string) => void,
  traceId?: SampledTraceId,
): Promise<SqlStore> {
  const pool = openPostgres(url, {
    applicationName: 'caregate serve',
    connections: CONNECTIONS,
    statementTimeoutMs: DATABASE_TIMEOUT_MS,
    connectTimeoutMs: DATABASE_TIMEOUT_MS,
  });
  await preparePostgresStore(pool, WAIT_MS, onWaiting);
  return postgresStore(pool, traceId);
}

/** Waits for the database, creates tables. Closes the pool if that fails. */
export async function preparePostgresStore(
  pool: pg.Pool,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<void> {
  try {
    await waitForPostgres(pool, waitMs, onWaiting);
    await migratePostgres(pool, storeSchema, postgresStoreMigrations);
  } catch (error) {
    await pool.end();
    throw error;
  }
}
