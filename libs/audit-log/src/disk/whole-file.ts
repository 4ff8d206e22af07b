import { dirname } from 'node:path';
import type { Disk } from './disk.ts';

/** Writes a file durably, in place of the one of this name if there is one: never a part of it. */
export function writeWhole(disk: Disk, path: string, bytes: Uint8Array): void {
  const draft = `${path}.new`;
  createAnew(disk, draft, bytes);
  disk.rename(draft, path);
  disk.syncFolder(dirname(path));
}

/** Writes and syncs a file that nothing refers to yet; its name is not durable. */
export function createAnew(disk: Disk, path: string, bytes: Uint8Array): void {
  removeIfThere(disk, path);
  const file = disk.create(path);
  try {
    file.append(bytes);
    file.sync();
  } finally {
    file.close();
  }
}

export function removeIfThere(disk: Disk, path: string): void {
  try {
    disk.remove(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
}
