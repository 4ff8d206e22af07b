import { existsSync } from 'node:fs';
import type pg from 'pg';
import { LogReader, logPaths, NoAuditLogError, writeDurably } from '@caregate/audit-log';
import { PostgresLogReader } from '@caregate/audit-log/postgres';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';
import { recordInFolder as recordActs } from '../record/record-log.ts';

export type AnyLogReader = LogReader | PostgresLogReader;

/** Also while the service writes. @throws NoAuditLogError, FolderError if moved, AuditLogError if a part is no plain file */
export function openLog(dataDir: string): LogReader {
  try {
    return LogReader.open(dataDir);
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      requireNotMoved(dataDir);
    }
    throw error;
  }
}

/** A copy without the private key is read as it is. @throws LogRefusedError if the key in the folder is not that of the log */
export function openOwnLog(dataDir: string): LogReader {
  const log = openLog(dataDir);
  try {
    log.requireOwnKey();
    return log;
  } catch (error) {
    log.close();
    throw error;
  }
}

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

/** @throws NoAuditLogError if there is none, or several and no id is given */
export async function logOfDatabase(db: pg.Pool, logId?: string): Promise<PostgresLogReader> {
  const [log, ...more] = await logsOfDatabase(db, logId);
  if (log === undefined || more.length > 0) {
    const ids = [log, ...more].map((one) => one?.identity().logId).join(', ');
    throw new NoAuditLogError(
      `This database has ${more.length + 1} logs. Choose one with --log: ${ids}.`,
    );
  }
  return log;
}

export async function logsOfDatabase(db: pg.Pool, logId?: string): Promise<PostgresLogReader[]> {
  const logs = (await PostgresLogReader.all(db)).filter(
    (log) => logId === undefined || log.identity().logId === logId,
  );
  if (logs.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  return logs;
}

/** Signs a checkpoint first if it has the private key. @throws NoAuditLogError, LogRefusedError, AuditBrokenError */
export async function copyFolderLog(
  dataDir: string,
  to: string,
  onBytes?: (done: number) => void,
): Promise<void> {
  const signed = existsSync(logPaths(dataDir).key) ? await recordActs(dataDir, []) : undefined;
  const log = openLog(dataDir);
  try {
    log.copyTo(to, signed ?? log.checkpoint(), onBytes);
    await copyKey(log, { from: logPaths(dataDir).ownKey, to });
  } finally {
    log.close();
  }
}

/** Tries again if it was replaced while it was copied. */
async function copyKey(
  log: LogReader,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const copy = openLog(to);
  const isCopied = copy.signingKey() !== undefined;
  copy.close();
  const key = log.signingKey();
  if (!isCopied && key !== undefined && existsSync(from)) {
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    await writeDurably(logPaths(to).ownKey, pem);
  }
}
