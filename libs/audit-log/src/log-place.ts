import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Members } from './record.ts';
import { PostgresStorage, type PostgresOptions } from './storage/postgres.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import type { LogStorage } from './storage/storage.ts';

/**
 * Location of a log: `audit.db` in the data folder, or a PostgreSQL database. Its key is in the data folder in either
 * case.
 */
export interface LogPlace {
  readonly dataDir: string;
  readonly postgres?: PostgresOptions | undefined;
}

export function getLogFile(dataDir: string): string {
  return join(dataDir, 'audit.db');
}

/**
 * A file in the data folder with the ID of its log. If the log is missing, it prevents that a new one is created in
 * its place.
 */
export function getLogIdFile(dataDir: string): string {
  return join(dataDir, 'audit-log-id');
}

export function readLogId(dataDir: string): string | undefined {
  const file = getLogIdFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** @throws AuditBrokenError if the file is damaged, AuditLogError if it can't be opened */
export function openStorage(
  { dataDir, postgres }: LogPlace,
  members: Members,
  options: { readonly readOnly?: boolean } = {},
): LogStorage {
  return postgres === undefined
    ? new SqliteStorage(getLogFile(dataDir), members, options)
    : new PostgresStorage(postgres, members);
}
