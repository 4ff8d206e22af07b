import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { withFolderLog } from '../audit/read-logs.ts';
import { syncToDisk } from '../files/write-durably.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import {
  computeCopySize,
  isSameDisk,
  RESERVED_BYTES,
  toFullDiskError,
  requireSpace,
} from './disk-space.ts';
import { manifestFile, writeManifest } from './manifest.ts';
import { signText } from './backup-keys.ts';

/** Pages of a database that are copied in one step. The command writes nothing else meanwhile. */
const PAGES_AT_ONCE = 1000;
/** Space for the record of the backup and a checkpoint. */
const recordBytes = 2 ** 20;

const LOG = 'audit.db';
const KEY = 'audit-key.pem';
/** Temporary files: those of an open SQLite database, the lock of the service, and keys that don't sign yet. */
const TEMPORARY_FILES = /\.db-(?:wal|shm)$|^service-lock\.db|\.pem\.next/u;

/**
 * Copies a data folder, even while the service runs. The audit log is copied last, so that it has records of
 * everything else. Creates `to` atomically.
 *
 * @param record records the backup before anything is copied, so that the copied log has that record
 */
export async function createBackup(
  from: string,
  to: string,
  record: () => Promise<void>,
  onProgress: (done: number, total: number) => void,
): Promise<readonly string[]> {
  requireNew(from, to);
  const disk = dirname(resolve(to));
  await requireSpace(from, recordBytes, ' to record the backup');
  await requireSpace(disk, computeCopySize(from) + (isSameDisk(from, disk) ? RESERVED_BYTES : 0));
  await record();
  // Throws before anything is copied if there is no key.
  await signText(from, '');
  const names = readdirSync(from, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => !TEMPORARY_FILES.test(name) && name !== manifestFile)
    .sort((one, other) => getCopyOrder(one) - getCopyOrder(other));
  const sizes = names.map((name) => statSync(join(from, name)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  const onBytes = (done: number): void => {
    onProgress(Math.min(before + done, total), total);
  };
  const part = `${resolve(to)}.part`;
  createPartialFolder(part);
  try {
    for (const [at, name] of names.entries()) {
      await copy(join(from, name), join(part, name), onBytes);
      syncToDisk(join(part, name));
      before += sizes[at] ?? 0;
      onBytes(0);
    }
    if (names.includes(LOG)) {
      // Throws if the key was replaced meanwhile, in which case the backup must be repeated.
      await withFolderLog(part, () => undefined);
    }
    await writeManifest(part, from);
    syncToDisk(part);
    renameSync(part, to);
    syncToDisk(disk);
  } catch (error) {
    const named = toFullDiskError(error, disk);
    rmSync(part, { recursive: true, force: true });
    throw named;
  }
  return names;
}

/** Puts the audit log last, so that it has a record of whatever is in the other files, followed by its key. */
function getCopyOrder(name: string): number {
  return [LOG, KEY].indexOf(name);
}

function requireNew(from: string, to: string): void {
  if (!existsSync(join(from, 'store.db'))) {
    throw new OperatorError(`${from} is not a data folder: it has no store.db.`, 2);
  }
  if (existsSync(to)) {
    throw new OperatorError(`${to} already exists. Choose a new folder for the backup.`, 2);
  }
}

/** @throws OperatorError if the folder exists, because another backup is in progress or was stopped */
export function createPartialFolder(part: string): void {
  try {
    mkdirSync(part, { mode: 0o700 });
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
    const what = `${part} is of a backup that was stopped, or is still being made`;
    throw new OperatorError(`${what}. If none is being made, remove it, and run again.`, 2, error);
  }
}

async function copy(from: string, to: string, onBytes: (done: number) => void): Promise<void> {
  if (!from.endsWith('.db')) {
    copyFileSync(from, to);
    chmodSync(to, 0o600);
    return;
  }
  closeSync(openSync(to, 'wx', 0o600));
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    // Without its own transaction, any write of the service between two steps would restart the backup.
    source.exec('begin; select 1 from sqlite_schema');
    const pageSize = Number(source.prepare('pragma page_size').get()?.['page_size']);
    await backup(source, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => {
        onBytes((totalPages - remainingPages) * pageSize);
      },
    });
  } finally {
    source.close();
  }
  if (!isIntact(to)) {
    throw new OperatorError(`${from} is corrupt: its copy fails SQLite's integrity check.`);
  }
}

export function isIntact(database: string): boolean {
  const db = new DatabaseSync(database);
  try {
    const [row] = db.prepare('pragma integrity_check(1)').all();
    return row?.['integrity_check'] === 'ok';
  } finally {
    db.close();
  }
}
