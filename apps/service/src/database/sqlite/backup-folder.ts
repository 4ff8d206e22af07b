import { OperatorError } from '../../config/operator-error.ts';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

/** A backup that was not made; the message is a sentence for the person who asked for it. Nothing is left of it. */
class BackupError extends OperatorError {
  override readonly name = 'BackupError';
}

/**
 * Copies a data folder while it is served: each database as it was at one moment, checked afterwards, and the signing
 * key. `to` appears when all of it is on the disk, not before. The audit log comes last, so that it knows of all else.
 *
 * @returns the names of the files
 * @throws BackupError where `from` is no data folder, `to` exists, or a copy is not whole; else the system's own error
 */
export async function backupFolder(from: string, to: string): Promise<readonly string[]> {
  if (!existsSync(join(from, 'store.db'))) {
    throw new BackupError(`${from} is no data folder: it has no store.db.`);
  }
  if (existsSync(to)) {
    throw new BackupError(`${to} exists; a backup goes into a new folder.`);
  }
  const names = readdirSync(from, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.db-(?:wal|shm)$/u.test(entry.name))
    .map(({ name }) => name)
    .sort((a, b) => Number(a === 'audit.db') - Number(b === 'audit.db'));
  const part = `${resolve(to)}.part`;
  mkdirSync(part, { mode: 0o700 });
  try {
    for (const name of names) {
      await copy(join(from, name), join(part, name));
      sync(join(part, name));
    }
    sync(part);
    renameSync(part, to);
    sync(dirname(resolve(to)));
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  return names;
}

async function copy(from: string, to: string): Promise<void> {
  if (!from.endsWith('.db')) {
    copyFileSync(from, to);
    chmodSync(to, 0o600);
    return;
  }
  closeSync(openSync(to, 'wx', 0o600));
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    // All pages in one step, which is one moment: between two steps a write would make it begin anew.
    await backup(source, to, { rate: 2 ** 31 - 1 });
  } finally {
    source.close();
  }
  const made = new DatabaseSync(to);
  try {
    const [row] = made.prepare('pragma integrity_check(1)').all();
    if (row?.['integrity_check'] !== 'ok') {
      throw new BackupError(`${from} is damaged: its copy does not pass SQLite's check.`);
    }
  } finally {
    made.close();
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
