import { dirname, join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { sha256 } from '../tree/tree.ts';

/** The newest checkpoint that a witness cosigned, of each log. */
export interface WitnessStore {
  /** The note with log's and witness's signatures; undefined if none was cosigned. */
  read(originHash: string): string | undefined;
  /** Replaces it. Durable when it returns; after an error either the old or the new one stands. */
  write(originHash: string, note: string): void;
}

/** SHA-256 of the origin, in lowercase hex: how C2SP tlog-witness names a log in addresses. */
export function originHash(origin: string): string {
  return sha256(Buffer.from(origin)).toString('hex');
}

/** One file a log, written beside, synced and renamed. */
export class FileWitnessStore implements WitnessStore {
  readonly #disk: Disk;
  readonly #folder: string;

  /** @param folder created if missing; its parent must exist */
  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
    disk.makeFolder(folder);
    disk.syncFolder(dirname(folder));
  }

  read(originHash: string): string | undefined {
    return this.#disk.read(join(this.#folder, originHash))?.toString();
  }

  write(originHash: string, note: string): void {
    writeWhole(this.#disk, join(this.#folder, originHash), Buffer.from(note));
  }
}
