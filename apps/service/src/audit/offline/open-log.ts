import { resolve } from 'node:path';
import {
  LogReader,
  NoAuditLogError,
  logPaths,
  nodeDisk,
  requirePlainParts,
} from '@caregate/audit-log';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';

/**
 * Reads the log of a data folder, also while the service is writing it.
 *
 * @throws NoAuditLogError if the folder has no log, LogRefusedError if it is not by the signing key of the folder, FolderError if
 *   it was moved, AuditLogError if a part of it is no plain file or folder
 */
export function openLog(dataDir: string): LogReader {
  try {
    requirePlainParts(logPaths(resolve(dataDir)));
    return new LogReader(nodeDisk, resolve(dataDir));
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      requireNotMoved(dataDir);
    }
    throw error;
  }
}
