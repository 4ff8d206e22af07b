import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  auditKeyFile,
  copyLog,
  formatVerifierKey,
  logPaths,
  LogReader,
  NoAuditLogError,
  nodeDisk,
  recordActs,
  refused,
  requirePlainParts,
  signingKey,
  verifierKey,
} from '@caregate/audit-log';
import { listLogs, PostgresLogReader, type Queryable } from '@caregate/audit-log/postgres';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';

/** A log of either engine, to read and prove. */
export type AnyLogReader = LogReader | PostgresLogReader;

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

/** Runs `work` on the log of a data folder. @throws NoAuditLogError */
export async function inFolder<T>(
  dataDir: string,
  work: (log: LogReader) => T | Promise<T>,
): Promise<T> {
  const log = openOwnLog(dataDir);
  try {
    return await work(log);
  } finally {
    log.close();
  }
}

/** The log with this id, or the only log if no id is given. @throws NoAuditLogError if there is none, or several */
export async function logOfDatabase(db: Queryable, logId?: string): Promise<PostgresLogReader> {
  const [log, ...more] = await logsOfDatabase(db, logId);
  if (log === undefined || more.length > 0) {
    const ids = [log, ...more].map((one) => one?.identity().logId).join(', ');
    throw new NoAuditLogError(
      `This database has ${more.length + 1} logs. Choose one with --log: ${ids}.`,
    );
  }
  return log;
}

/** The log with this id, or all logs if no id is given, oldest first. @throws NoAuditLogError if there is none */
export async function logsOfDatabase(db: Queryable, logId?: string): Promise<PostgresLogReader[]> {
  const logs = (await listLogs(db)).filter((log) => logId === undefined || log.logId === logId);
  if (logs.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  return logs.map((log) => new PostgresLogReader(db, log));
}

/**
 * Copies the log of a data folder into another folder, up to now: a checkpoint is signed first, by the service if it is
 * running. Of a copy without the private key, up to its checkpoint.
 *
 * @throws NoAuditLogError, LogRefusedError, AuditBrokenError
 */
export async function copyFolderLog(
  dataDir: string,
  to: string,
  onBytes?: (done: number) => void,
): Promise<void> {
  const signed = existsSync(join(dataDir, auditKeyFile))
    ? await recordActs(dataDir, [])
    : undefined;
  const log = openLog(dataDir);
  try {
    const note = signed ?? log.checkpoint();
    copyLog(nodeDisk, log, { from: resolve(dataDir), to: resolve(to), note }, onBytes);
  } finally {
    log.close();
  }
}
