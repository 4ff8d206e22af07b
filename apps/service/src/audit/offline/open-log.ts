import { resolve } from 'node:path';
import {
  LogReader,
  NoAuditLogError,
  formatVerifierKey,
  logPaths,
  nodeDisk,
  refused,
  requirePlainParts,
  signingKey,
  verifierKey,
} from '@caregate/audit-log';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';

/**
 * Reads the log of a data folder, also while the service is writing it.
 *
 * @throws NoAuditLogError if the folder has no log, FolderError if it was moved, AuditLogError if a part of it is no plain file or folder
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

/**
 * The same, for what shows records: a log by another key is not shown for that of the folder. A copy without the private key
 * is read as it is.
 *
 * @throws LogRefusedError if the signing key in the folder is not that of the log
 */
export function openOwnLog(dataDir: string): LogReader {
  const log = openLog(dataDir);
  const pem = nodeDisk.read(logPaths(resolve(dataDir)).key);
  const { origin, verifierKey: named } = log.identity();
  const key = pem && signingKey(pem);
  if (pem !== undefined && (!key || formatVerifierKey(verifierKey(origin, key)) !== named)) {
    log.close();
    throw refused('wrong_key');
  }
  return log;
}
