import { dirname, join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { bytesOfTile, hashesOfTile, levelsOfTile, tilePath } from '../tree/tiles.ts';
import type { Frontier, HashText, NodeReader } from '../tree/tree.ts';

/** Tiles that may wait for their sync: a checkpoint has to wait for all of them. */
const mostUnsynced = 8;

/** Writes each tile that a log fills. */
export class TileWriter {
  readonly #disk: Disk;
  readonly #audit: string;
  /** The tile that is being filled, by level of tiles. */
  readonly #filling: Buffer[] = [];
  readonly #folders = new Set<string>();
  readonly #unsynced: DiskFile[] = [];
  readonly #unsyncedFolders = new Set<string>();

  /** @param read reads the nodes of the first `size` leaves */
  constructor(disk: Disk, audit: string, size: number, read: NodeReader) {
    this.#disk = disk;
    this.#audit = audit;
    for (let level = 0, count = size; count > 0; level += 1) {
      const start = count - (count % hashesOfTile);
      const tile = this.#tile(level);
      for (let at = start; at < count; at += 1) {
        tile.set(read(level * levelsOfTile, at), 32 * (at - start));
      }
      count = Math.floor(count / hashesOfTile);
    }
  }

  /** Appends a leaf to the tree, and takes the nodes that this completes. */
  append(frontier: Frontier, leaf: Buffer): void {
    this.take(0, frontier.size, leaf.toString('latin1'));
    frontier.append(leaf, (level, index, hash) => {
      this.take(level, index, hash.toString('latin1'));
    });
  }

  /** Takes a leaf (level 0) or a node of the tree, in their order; those that no tile has are left out. */
  take(level: number, index: number, hash: HashText): void {
    if (level % levelsOfTile !== 0) {
      return;
    }
    const tile = this.#tile(level / levelsOfTile);
    const at = index % hashesOfTile;
    tile.write(hash, 32 * at, 32, 'latin1');
    if (at === hashesOfTile - 1) {
      this.#write(tilePath(level / levelsOfTile, (index - at) / hashesOfTile), tile);
    }
  }

  /** Makes one tile that was filled durable; false if none waits for it. */
  syncOne(): boolean {
    const file = this.#unsynced.shift();
    try {
      file?.sync();
    } finally {
      file?.close();
    }
    return file !== undefined;
  }

  /** Makes all tiles that were filled durable. */
  sync(): void {
    while (this.syncOne()) {
      // The next one.
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

  #tile(level: number): Buffer {
    return (this.#filling[level] ??= Buffer.alloc(bytesOfTile));
  }

  #write(path: string, bytes: Buffer): void {
    if (this.#unsynced.length >= mostUnsynced) {
      this.syncOne();
    }
    const file = join(this.#audit, path);
    this.#makeFolder(dirname(file));
    const created = this.#create(file);
    this.#unsynced.push(created);
    created.append(bytes);
    this.#unsyncedFolders.add(dirname(file));
  }

  #create(file: string): DiskFile {
    try {
      return this.#disk.create(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
      // One that a crash left behind was never durable, and no checkpoint covers it.
      this.#disk.remove(file);
      return this.#disk.create(file);
    }
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
