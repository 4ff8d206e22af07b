import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SigningKey } from '@caregate/audit-log';
import { OperatorError } from '@caregate/data-store/errors';
import { readSetting } from '../config/read-config.ts';
import { readMovedDestination } from '@caregate/data-store/database';
import { ERASED_LIST } from './erased-list.ts';

/**
 * Refuses to back up or restore a folder whose data is in PostgreSQL, since the backup would contain no patients.
 *
 * @throws OperatorError that says what to use instead
 */
export function requireDataInFolder(dataDir: string, command: 'backup' | 'restore'): void {
  const url = readSetting(process.env, 'databaseUrl');
  const database = url === '' ? readMovedDestination(dataDir) : formatAddress(url);
  if (database === undefined) {
    return;
  }
  const folderFiles = ['audit-log-id', ERASED_LIST].map((name) => join(dataDir, name));
  const files = [new SigningKey(dataDir).file, ...folderFiles].filter(existsSync);
  const copy = files.length === 0 ? '' : `, and copy ${files.join(' and ')}`;
  const next =
    command === 'backup'
      ? `Back up that database with pg_dump or pg_basebackup${copy}`
      : 'Restore the database with pg_restore, or from its base backup';
  throw new OperatorError(
    `caregate ${command} is for data folders, and the data of ${dataDir} is in PostgreSQL at ${database}. ${next}.`,
    2,
  );
}

/** Returns the host and database of the URL, without the password. */
function formatAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
