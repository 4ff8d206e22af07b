import type pg from 'pg';
import { migratePostgres } from '../../../database/postgres/migrate-postgres.ts';
import { openPostgres, waitForPostgres } from '../../../database/postgres/open-postgres.ts';
import { postgresStoreMigrations, storeSchema } from './postgres-schema.ts';
import { PostgresStore } from './postgres-store.ts';
import { PostgresWriter } from './postgres-writer.ts';

export interface DatabaseSettings {
  readonly databaseUrl: string;
  /** Empty: no replica. */
  readonly databaseReadUrl: string;
  readonly databaseConnections: number;
  readonly databaseTimeoutMs: number;
  readonly databaseWaitMs: number;
}

/**
 * Opens the store of a database for reading when it is available; creates missing tables. An unavailable replica is not
 * an error.
 *
 * @throws PostgresUnavailableError, and StoreTooNewError if it was written by a newer version
 */
export async function openPostgresStore(
  settings: DatabaseSettings,
  onWaiting?: (reason: string) => void,
): Promise<PostgresStore> {
  const open = (url: string): pg.Pool =>
    openPostgres(url, {
      applicationName: 'caregate serve',
      connections: settings.databaseConnections,
      statementTimeoutMs: settings.databaseTimeoutMs,
      connectTimeoutMs: settings.databaseTimeoutMs,
    });
  const primary = open(settings.databaseUrl);
  await prepare(primary, settings.databaseWaitMs, onWaiting);
  const { databaseReadUrl } = settings;
  return new PostgresStore(primary, databaseReadUrl === '' ? undefined : open(databaseReadUrl));
}

/** Opens the store for an import: one connection without a statement timeout. */
export async function openPostgresWriter(
  url: string,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<PostgresWriter> {
  const pool = openPostgres(url, {
    applicationName: 'caregate import',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  await prepare(pool, waitMs, onWaiting);
  return new PostgresWriter(pool);
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
