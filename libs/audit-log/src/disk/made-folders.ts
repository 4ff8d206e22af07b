import { dirname } from 'node:path';
import type { Disk } from './disk.ts';

/** Makes folders below those that are there, each once. */
export class MadeFolders {
  readonly all: Set<string>;
  readonly #disk: Disk;

  constructor(disk: Disk, ...there: readonly string[]) {
    this.#disk = disk;
    this.all = new Set(there);
  }

  /** @param made called for each new folder */
  make(folder: string, made?: (folder: string) => void): void {
    if (!this.all.has(folder)) {
      this.make(dirname(folder), made);
      this.#disk.makeFolder(folder);
      this.all.add(folder);
      made?.(folder);
    }
  }
}
