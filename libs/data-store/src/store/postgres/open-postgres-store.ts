import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import {
  DATABASE_TIMEOUT_MS,
  openPostgres,
  waitForPostgres,
} from '../../database/postgres/open-postgres.ts';
import type { SampledTraceId } from '../../database/postgres/prepared-pool.ts';
import { postgresStoreMigrations, storeSchema } from './postgres-schema.ts';
import { postgresStore } from './postgres-store.ts';
import type { SqlStore } from '../sql-store.ts';
import { ImportWriter } from '../import/import-writer.ts';
import { PersonEraser } from '../import/person-eraser.ts';
import { PostgresImport } from './postgres-import.ts';

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
  await prepare(pool, WAIT_MS, onWaiting);
  return postgresStore(pool, traceId);
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

/** Opens the store for an import: one connection without a statement timeout. */
export async function openPostgresImport(
  url: string,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<PostgresImport> {
  const pool = openPostgres(url, {
    applicationName: 'caregate import',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  await prepare(pool, waitMs, onWaiting);
  return new PostgresImport(pool);
}

async function prepare(
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
