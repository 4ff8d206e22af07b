import {
  LogReader,
  NoAuditLogError,
  openDatabaseReaders,
  openFolderReader,
} from '@caregate/audit-log';
import type { Database } from '../../config/read-config.ts';
import { requireNotMoved } from '@caregate/data-store/database';
import { members } from '../record/record-body.ts';

/** Also while the service writes. @throws NoAuditLogError, FolderError if moved, LogRefusedError, AuditBrokenError */
async function openLog(dataDir: string): Promise<LogReader> {
  try {
    return await openFolderReader(dataDir, members);
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      requireNotMoved(dataDir);
    }
    throw error;
  }
}

export async function inFolder<T>(
  dataDir: string,
  work: (log: LogReader) => T | Promise<T>,
): Promise<T> {
  const log = await openLog(dataDir);
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/** @throws NoAuditLogError if the database has none, or none with this ID */
export async function inDatabase<T>(
  database: Database,
  { data, log: logId }: { readonly data?: string | undefined; readonly log?: string | undefined },
  work: (logs: readonly LogReader[]) => T | Promise<T>,
): Promise<T> {
  const all = await openDatabaseReaders(database, members, data);
  try {
    const logs = all.filter(({ identity }) => logId === undefined || identity.logId === logId);
    if (logs.length === 0) {
      throw new NoAuditLogError('This database has no such audit log.');
    }
    return await work(logs);
  } finally {
    await all[0]?.close();
  }
}

/** @throws NoAuditLogError if there are several */
export function requireOne(logs: readonly LogReader[]): LogReader {
  const [log, ...more] = logs;
  if (log === undefined || more.length > 0) {
    const ids = logs.map(({ identity }) => identity.logId).join(', ');
    throw new NoAuditLogError(
      `This database has ${logs.length} logs. Choose one with --log: ${ids}.`,
    );
  }
  return log;
}
