import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import {
  bytesOfTile,
  hashesOfTile,
  levelsOfTile,
  nodesOfTiles,
  tilePath,
  tileWidth,
} from '../tree/tiles.ts';
import type { NodeReader } from '../tree/tree.ts';
import type { StoredRecords } from './stored-records.ts';

const mostTiles = 512;
const mostRoots = 65_536;

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
    this.#tiles.set(path, bytes);
    return bytes;
  }
}

/** Nodes of a stored log, unchecked: from tiles up to `durableSize`, else from records. */
export function storedNodes(
  tiles: StoredTiles,
  records: StoredRecords,
  durableSize: () => number,
): NodeReader {
  const roots = new Map<string, Buffer>();
  const read = nodesOfTiles(
    (level, index) =>
      tileWidth(durableSize(), level, index) === hashesOfTile
        ? tiles.full(level, index)
        : undefined,
    (seq) => records.leaf(seq),
  );
  return (level, index) => {
    if (level === 0 || level % levelsOfTile > 0) {
      return read(level, index);
    }
    // The root of a full tile is in the tile above only once that is full.
    const name = `${level}/${index}`;
    const root = roots.get(name) ?? read(level, index);
    if (roots.size >= mostRoots) {
      roots.clear();
    }
    roots.set(name, root);
    return root;
  };
}
