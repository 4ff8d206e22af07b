import { closeSync, fsyncSync, openSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file durably and atomically, without blocking the thread. Callers must not write the same file twice at
 * a time.
 */
export async function writeDurably(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await rm(draft, { force: true });
  // The flag `wx` never follows a symbolic link.
  await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  syncToDisk(dirname(path));
}

/**
 * Makes the names in a folder, or the content of a file, durable. Windows can't sync a folder; NTFS journals file
 * names itself.
 */
export function syncToDisk(path: string): void {
  if (process.platform === 'win32') {
    return;
  }
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
