import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { movedMarker } from '../database/sqlite/moved-folder.ts';

const files = ['store.db', 'access.db', 'audit'];

/**
 * Permanently marks a folder as moved, before other processes can open its files: its log must not grow in two places.
 *
 * @param to `host:port/database`
 */
export function markMoved(dataDir: string, to: string): void {
  const marker = movedMarker(dataDir);
  const handle = openSync(`${marker}.new`, 'w', 0o600);
  writeSync(handle, `${to}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${marker}.new`, marker);
  syncFolder(dataDir);
}

/** Renames the databases and the log of a marked folder to `*.moved`. Returns the names of the renamed files. */
export function archiveDatabases(dataDir: string): readonly string[] {
  const aside = files.filter((name) => {
    const isThere = existsSync(join(dataDir, name));
    return isThere && !existsSync(join(dataDir, `${name}.moved`));
  });
  for (const name of aside) {
    for (const part of ['-wal', '-shm', '']) {
      const file = join(dataDir, `${name}${part}`);
      if (existsSync(file)) {
        renameSync(file, join(dataDir, `${name}.moved${part}`));
      }
    }
  }
  syncFolder(dataDir);
  return aside;
}

/** A new file name is durable only after syncing its folder; not needed and not possible on Windows. */
function syncFolder(folder: string): void {
  if (process.platform !== 'win32') {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  }
}
