import { dirname, join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { MadeFolders } from '../disk/whole-file.ts';

/** A checkpoint waits for all of them. */
const mostUnsynced = 8;

export class BlockWriter {
  readonly #disk: Disk;
  readonly #audit: string;
  readonly #folders: MadeFolders;
  readonly #unsynced: DiskFile[] = [];
  readonly #unsyncedFolders = new Set<string>();

  constructor(disk: Disk, audit: string) {
    this.#disk = disk;
    this.#audit = audit;
    this.#folders = new MadeFolders(disk, audit);
  }

  /** Not durable yet. */
  write(path: string, bytes: Buffer): void {
    if (this.#unsynced.length >= mostUnsynced) {
      this.syncOne();
    }
    const file = join(this.#audit, path);
    this.#folders.make(dirname(file), (folder) => {
      this.#unsyncedFolders.add(dirname(folder));
    });
    const created = this.#create(file);
    this.#unsynced.push(created);
    created.append(bytes);
    this.#unsyncedFolders.add(dirname(file));
  }

  syncOne(): boolean {
    const file = this.#unsynced.shift();
    try {
      file?.sync();
    } finally {
      file?.close();
    }
    return file !== undefined;
  }

  sync(): void {
    while (this.syncOne()) {
      // The next one.
    }
    // Deepest first: a name is durable once its folder's name is.
    for (const folder of [...this.#unsyncedFolders].sort().reverse()) {
      this.#disk.syncFolder(folder);
    }
    this.#unsyncedFolders.clear();
  }

  close(): void {
    for (const file of this.#unsynced.splice(0)) {
      file.close();
    }
  }

  #create(file: string): DiskFile {
    try {
      return this.#disk.create(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
      // Left by a crash before it was durable.
      this.#disk.remove(file);
      return this.#disk.create(file);
    }
  }
}
