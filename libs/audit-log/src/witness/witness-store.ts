import { dirname, join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { sha256 } from '../tree/tree.ts';

/** SHA-256 of the origin, as C2SP tlog-witness names a log in addresses. */
export function originHash(origin: string): string {
  return sha256(Buffer.from(origin)).toString('hex');
}

/** One file per log, replaced atomically. */
export class WitnessStore {
  readonly #disk: Disk;
  readonly #folder: string;

  /** @param folder created if missing; its parent must exist */
  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
    disk.makeFolder(folder);
    disk.syncFolder(dirname(folder));
  }

  /** The cosigned note; undefined if there is none. */
  read(originHash: string): string | undefined {
    return this.#disk.read(join(this.#folder, originHash))?.toString();
  }

  /** Durable when it returns; atomic on errors. */
  write(originHash: string, note: string): void {
    writeWhole(this.#disk, join(this.#folder, originHash), Buffer.from(note));
  }
}
