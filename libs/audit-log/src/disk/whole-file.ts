import { dirname } from 'node:path';
import type { Disk } from './disk.ts';

/** Replaces a file durably and atomically. */
export function writeWhole(disk: Disk, path: string, bytes: Uint8Array): void {
  const draft = `${path}.new`;
  createAnew(disk, draft, bytes);
  disk.rename(draft, path);
  disk.syncFolder(dirname(path));
}

const syncedBytes = 2 ** 20;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Writes and syncs a file, in parts, each followed by a pause as long as its sync, so that no other sync waits long; its name is not durable yet. */
export function createAnew(disk: Disk, path: string, bytes: Uint8Array): void {
  removeIfThere(disk, path);
  const file = disk.create(path);
  try {
    for (let at = 0; at < bytes.length; at += syncedBytes) {
      file.append(bytes.subarray(at, at + syncedBytes));
      const began = performance.now();
      file.sync();
      if (at + syncedBytes < bytes.length) {
        Atomics.wait(never, 0, 0, performance.now() - began);
      }
    }
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

/** Makes folders below those that are there, each once. */
export class MadeFolders {
  readonly all: Set<string>;
  readonly #disk: Disk;

  constructor(disk: Disk, ...there: readonly string[]) {
    this.#disk = disk;
    this.all = new Set(there);
  }

  make(folder: string, made?: (folder: string) => void): void {
    if (!this.all.has(folder)) {
      this.make(dirname(folder), made);
      this.#disk.makeFolder(folder);
      this.all.add(folder);
      made?.(folder);
    }
  }
}
