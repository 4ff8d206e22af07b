import { dirname, join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { removeIfThere } from '../disk/whole-file.ts';
import { hashesOfTile, levelsOfTile, tilePath } from '../tree/tiles.ts';
import type { Frontier, NodeReader } from '../tree/tree.ts';

/** Tiles that may wait for their sync: each is an open file. */
const mostUnsynced = 64;

/** Writes each tile that a log fills. */
export class TileWriter {
  readonly #disk: Disk;
  readonly #audit: string;
  /** Hashes of the tile that is being filled, by level of tiles. */
  readonly #filling: Buffer[][] = [];
  readonly #folders = new Set<string>();
  readonly #unsynced: DiskFile[] = [];
  readonly #unsyncedFolders = new Set<string>();

  /** @param read reads the nodes of the first `size` leaves */
  constructor(disk: Disk, audit: string, size: number, read: NodeReader) {
    this.#disk = disk;
    this.#audit = audit;
    for (let level = 0, count = size; count > 0; level += 1) {
      const start = count - (count % hashesOfTile);
      this.#filling.push(
        Array.from({ length: count - start }, (_, at) => read(level * levelsOfTile, start + at)),
      );
      count = Math.floor(count / hashesOfTile);
    }
  }

  /** Appends a leaf to the tree, and takes the nodes that this completes. */
  append(frontier: Frontier, leaf: Buffer): void {
    this.#add(0, frontier.size, leaf);
    frontier.append(leaf, (level, index, hash) => {
      if (level % levelsOfTile === 0) {
        this.#add(level / levelsOfTile, index, hash);
      }
    });
  }

  /** Makes all tiles that were filled durable. */
  sync(): void {
    for (const file of this.#unsynced.splice(0)) {
      try {
        file.sync();
      } finally {
        file.close();
      }
    }
    // The deepest first: a name is durable once its folder's name is.
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

  #add(level: number, index: number, hash: Buffer): void {
    const filling = (this.#filling[level] ??= []);
    filling.push(hash);
    if (filling.length === hashesOfTile) {
      this.#filling[level] = [];
      this.#write(tilePath(level, Math.floor(index / hashesOfTile)), Buffer.concat(filling));
    }
  }

  #write(path: string, bytes: Buffer): void {
    if (this.#unsynced.length >= mostUnsynced) {
      this.sync();
    }
    const file = join(this.#audit, path);
    this.#makeFolder(dirname(file));
    // One that a crash left behind was never durable, and no checkpoint covers it.
    removeIfThere(this.#disk, file);
    const created = this.#disk.create(file);
    this.#unsynced.push(created);
    created.append(bytes);
    this.#unsyncedFolders.add(dirname(file));
  }

  #makeFolder(folder: string): void {
    if (folder === this.#audit || this.#folders.has(folder)) {
      return;
    }
    const above = dirname(folder);
    this.#makeFolder(above);
    this.#disk.makeFolder(folder);
    this.#folders.add(folder);
    this.#unsyncedFolders.add(above);
  }
}
