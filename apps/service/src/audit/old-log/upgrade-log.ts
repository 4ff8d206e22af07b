import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  AuditLogError,
  FolderLock,
  LogReader,
  RenewedLog,
  UPGRADE_LOG,
  auditKeyFile,
  formatVerifierKey,
  loadKey,
  logPaths,
  nodeDisk,
  openCheckpoint,
  refused,
  removeIfThere,
  requirePlainParts,
  verifierKey,
  type Disk,
  type LogPaths,
} from '@caregate/audit-log';
import { isBusy } from '../../database/sqlite/sqlite-errors.ts';
import { commandEntry } from '../system-record.ts';
import { requireNoOtherLog, requireTheSame } from './other-log.ts';
import { verifyLog } from './verify.ts';

/** What became of the log of an earlier version. */
export interface UpgradeReport {
  readonly records: number;
  /** How many of them its last checkpoint covers: those after it are marked as unproved. */
  readonly proved: number;
  /** How many of them a cut had erased: by the log's own word, since cuts carried no signatures of approvers. */
  readonly erased: number;
  readonly publicKey: string;
}

/** So many records of so many were verified, and then taken over. */
type OnUpgrade = (what: 'verifying' | 'taking over', done: number, of: number) => void;

/**
 * Takes over the log `audit.db` of an earlier version: the same records and tree, in files, under a new signing key. The old
 * file is kept as `audit.db.upgraded`. Can be repeated after an interruption, whichever call of `disk` was the last.
 *
 * @throws AuditLogError if there is none, the folder or `audit.db` itself shows a log of this version, or no checkpoint covers
 *   any record
 * @throws LogRefusedError if a process uses it, or its key is missing
 * @throws AuditBrokenError if it fails verification, or has no checkpoint by its key
 */
export function upgradeLog(
  dataDir: string,
  disk: Disk = nodeDisk,
  onProgress?: OnUpgrade,
): UpgradeReport {
  const paths = logPaths(resolve(dataDir));
  requirePlainParts(paths);
  if (!existsSync(paths.oldLog)) {
    throw new AuditLogError('This data folder has no audit log of an earlier version.');
  }
  requireNoOtherLog(disk, paths);
  const key = loadKey(join(paths.data, auditKeyFile));
  if (key === undefined) {
    throw refused('log_without_key');
  }
  disk.makeFolder(paths.audit);
  const lock = new FolderLock(paths, 500);
  let db: DatabaseSync | undefined;
  try {
    db = openAlone(paths.oldLog);
    const report = takenOver(db, disk, paths) ?? rewritten(db, { disk, paths, key }, onProgress);
    db.close();
    db = undefined;
    setAside(disk, paths.oldLog);
    return report;
  } finally {
    db?.close();
    lock.release();
  }
}

/** Whether an earlier attempt had come to its end. */
function takenOver(db: DatabaseSync, disk: Disk, paths: LogPaths): UpgradeReport | undefined {
  if (!existsSync(paths.log) || existsSync(paths.renewing)) {
    return undefined;
  }
  const log = new LogReader(disk, paths.data);
  try {
    const { logId, verifierKey: publicKey } = log.identity();
    const { size, note, logId: old } = contentOf(db);
    if (logId !== old) {
      throw new AuditLogError('This data folder has another audit log already: audit/log.');
    }
    const erased = Number(
      db.prepare('select count(*) as erased from audit_event where body is null').get()?.['erased'],
    );
    return { records: size, proved: Number(note.split('\n')[1]), erased, publicKey };
  } finally {
    log.close();
  }
}

function rewritten(
  db: DatabaseSync,
  { disk, paths, key }: { disk: Disk; paths: LogPaths; key: KeyObject },
  onProgress?: OnUpgrade,
): UpgradeReport {
  const { logId, origin, note } = contentOf(db);
  const signedBy = verifierKey(origin, key);
  const { size: records, cut: erased } = verifyLog(db, {
    key: signedBy,
    onProgress: (done, of) => onProgress?.('verifying', done, of),
  });
  const { size: proved } = openCheckpoint(note, signedBy);
  if (proved === 0) {
    throw new AuditLogError(
      `The last checkpoint of the old audit log covers none of its ${records} records: nothing proves them, and it is not taken over.`,
    );
  }
  requireTheSame(db, disk, paths, logId);
  const log = new RenewedLog(disk, paths, {
    logId,
    origin,
    keys: [{ verifierKey: formatVerifierKey(signedBy), from: 0 }],
    serverId: hostname(),
    nowMs: Date.now(),
  });
  const rows = db
    .prepare('select leaf_hash, cast(salt || body as blob) as entry from audit_event order by seq')
    .iterate();
  for (const { leaf_hash: leaf, entry } of rows) {
    if (entry === null) {
      log.erased(Buffer.from(leaf as Uint8Array));
    } else {
      log.record(Buffer.from(entry as Uint8Array), key);
    }
    onProgress?.('taking over', log.size, records);
  }
  const why = commandEntry(UPGRADE_LOG, { records, proved, erased });
  return { records, proved, erased, publicKey: log.finish(why, key) };
}

function contentOf(db: DatabaseSync): {
  readonly logId: string;
  readonly origin: string;
  readonly size: number;
  readonly note: string;
} {
  const row = db.prepare('select log_id, origin from audit_log').get();
  const last = db.prepare('select note from audit_checkpoint order by size desc limit 1').get();
  const head = db.prepare('select size from audit_head').get();
  if (row === undefined || last === undefined) {
    throw new AuditLogError('The old audit log has no checkpoint: it is not taken over.');
  }
  return {
    logId: String(row['log_id']),
    origin: String(row['origin']),
    size: Number(head?.['size'] ?? 0),
    note: String(last['note']),
  };
}

/** @throws LogRefusedError if another process has the file open */
function openAlone(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 500, allowExtension: false });
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit');
    db.exec('pragma wal_checkpoint(truncate)');
    return db;
  } catch (error) {
    db.close();
    throw isBusy(error) ? refused('in_use') : error;
  }
}

function setAside(disk: Disk, file: string): void {
  disk.rename(file, `${file}.upgraded`);
  for (const part of ['-wal', '-shm']) {
    removeIfThere(disk, `${file}${part}`);
  }
  disk.syncFolder(join(file, '..'));
}
