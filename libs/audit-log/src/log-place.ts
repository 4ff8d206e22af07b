import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Members } from './record.ts';
import { PostgresStorage, type PostgresOptions } from './storage/postgres.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import type { LogStorage } from './storage/storage.ts';

/** Where a log is: in `audit.db` of the data folder, or in a database. Its key is in the folder with either. */
export interface LogPlace {
  readonly dataDir: string;
  readonly postgres?: PostgresOptions | undefined;
}

export function logFile(dataDir: string): string {
  return join(dataDir, 'audit.db');
}

/** Names the log of a data folder, so that a log which is missing is not begun anew. */
export function logIdFile(dataDir: string): string {
  return join(dataDir, 'audit-log-id');
}

export function readLogId(dataDir: string): string | undefined {
  const file = logIdFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** @throws AuditBrokenError, AuditLogError as the storages do */
export function openStorage(
  { dataDir, postgres }: LogPlace,
  members: Members,
  options: { readonly readOnly?: boolean } = {},
): LogStorage {
  return postgres === undefined
    ? new SqliteStorage(logFile(dataDir), members, options)
    : new PostgresStorage(postgres, members);
}
