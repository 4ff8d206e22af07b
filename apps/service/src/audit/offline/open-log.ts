import { resolve } from 'node:path';
import { LogIndex, LogReader, NoAuditLogError, logPaths, nodeDisk } from '@caregate/audit-log';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';

/**
 * Reads the log of a data folder, also while the service is writing it.
 *
 * @throws NoAuditLogError if the folder has no log, LogRefusedError if only one of an earlier version, FolderError if it was moved
 */
export function openLog(dataDir: string): LogReader {
  try {
    return new LogReader(nodeDisk, resolve(dataDir));
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      requireNotMoved(dataDir);
    }
    throw error;
  }
}

/** The same, with an index that has all its records: in memory for a copy that can only be read. */
export async function withIndexedLog<T>(
  dataDir: string,
  what: (log: LogReader, index: LogIndex) => T | Promise<T>,
): Promise<T> {
  const log = openLog(dataDir);
  let index: LogIndex | undefined;
  try {
    index = openIndex(dataDir, log);
    await index.catchUp();
    return await what(log, index);
  } finally {
    index?.close();
    log.close();
  }
}

/** The index of a log, perhaps behind it. */
export function openIndex(dataDir: string, log: LogReader): LogIndex {
  try {
    return new LogIndex(logPaths(resolve(dataDir)).index, log);
  } catch {
    return new LogIndex(':memory:', log);
  }
}
