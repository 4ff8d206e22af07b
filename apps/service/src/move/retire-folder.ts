import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { movedMarker } from '../database/sqlite/moved-folder.ts';

const files = ['store.db', 'access.db', 'audit.db'];

/**
 * Marks a folder as moved, for good, before its files may be opened by anybody else: two logs of one name must not grow.
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

/** Puts the databases of a marked folder aside as `*.moved`, for whoever wants them; gives the names of those it did. */
export function putAside(dataDir: string): readonly string[] {
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

/** A file's name is durable only once its folder is; Windows neither needs nor allows that. */
function syncFolder(folder: string): void {
  if (process.platform !== 'win32') {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  }
}
