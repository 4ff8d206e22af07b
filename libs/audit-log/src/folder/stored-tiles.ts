import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { bytesOfTile, hashesOfTile, nodesOfTiles, tilePath, tileWidth } from '../tree/tiles.ts';
import { caching, type NodeReader, ownCopy } from '../tree/tree.ts';
import type { StoredRecords } from './stored-records.ts';

const mostTiles = 512;
const mostNodes = 65_536;

export class StoredTiles {
  readonly #disk: Disk;
  readonly #audit: string;
  readonly #tiles = new Map<string, Buffer>();

  constructor(disk: Disk, audit: string) {
    this.#disk = disk;
    this.#audit = audit;
  }

  full(level: number, index: number): Buffer | undefined {
    const path = tilePath(level, index);
    const cached = this.#tiles.get(path);
    if (cached !== undefined) {
      return cached;
    }
    const bytes = this.#disk.read(join(this.#audit, path));
    if (bytes?.length !== bytesOfTile) {
      return undefined;
    }
    if (this.#tiles.size >= mostTiles) {
      this.#tiles.clear();
    }
    this.#tiles.set(path, ownCopy(bytes));
    return bytes;
  }
}

/** Nodes of a stored log, unchecked: from tiles up to `durableSize`, else from records. */
export function storedNodes(
  tiles: StoredTiles,
  records: StoredRecords,
  durableSize: () => number,
): NodeReader {
  const read = nodesOfTiles(
    (level, index) =>
      tileWidth(durableSize(), level, index) === hashesOfTile
        ? tiles.full(level, index)
        : undefined,
    (seq) => records.leaf(seq),
  );
  // A root at the edge takes up to 255 records. A node never changes.
  return caching(read, mostNodes);
}
