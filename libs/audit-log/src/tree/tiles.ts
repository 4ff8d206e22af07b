import { MissingNodeError } from '../errors.ts';
import { nodeHash, type NodeReader } from './tree.ts';

/** Hash tiles (C2SP tlog-tiles): tile `(level, index)` has the hashes of nodes `256 index` and on of level `8 level`. */

export const hashesOfTile = 256;
export const levelsOfTile = 8;
export const bytesOfTile = 32 * hashesOfTile;

/** Path of a tile, `tile/0/x001/067`; of a partial one, `tile/0/x001/067.p/12`. */
export function tilePath(level: number, index: number, width = hashesOfTile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/gu) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width < hashesOfTile ? `.p/${width}` : ''}`;
}

export function tileBytes(
  read: NodeReader,
  level: number,
  index: number,
  width = hashesOfTile,
): Buffer {
  const hashes = Array.from({ length: width }, (_, at) =>
    read(level * levelsOfTile, index * hashesOfTile + at),
  );
  return Buffer.concat(hashes);
}

export function tileWidth(size: number, level: number, index: number): number {
  const hashes = Math.floor(size / hashesOfTile ** level);
  return Math.max(0, Math.min(hashesOfTile, hashes - index * hashesOfTile));
}

export type TileReader = (level: number, index: number) => Buffer | undefined;

/** From tiles, from lower ones if one is missing, and leaves from `leaf`. @throws MissingNodeError */
export function nodesOfTiles(
  tile: TileReader,
  leaf: (index: number) => Buffer | undefined,
): NodeReader {
  const read: NodeReader = (level, index) => {
    const hashes = 2 ** (level % levelsOfTile);
    const first = index * hashes;
    const bytes = tile(Math.floor(level / levelsOfTile), Math.floor(first / hashesOfTile));
    const start = 32 * (first % hashesOfTile);
    if (bytes !== undefined && bytes.length >= start + 32 * hashes) {
      return rootOfHashes(bytes.subarray(start, start + 32 * hashes));
    }
    if (level > 0) {
      return nodeHash(read(level - 1, 2 * index), read(level - 1, 2 * index + 1));
    }
    const hash = leaf(index);
    if (hash === undefined) {
      throw new MissingNodeError(level, index);
    }
    return hash;
  };
  return read;
}

export function rootOfHashes(hashes: Buffer): Buffer {
  let row = hashes;
  while (row.length > 32) {
    const above = Buffer.allocUnsafe(row.length / 2);
    for (let at = 0; at < above.length; at += 32) {
      above.set(
        nodeHash(row.subarray(2 * at, 2 * at + 32), row.subarray(2 * at + 32, 2 * at + 64)),
        at,
      );
    }
    row = above;
  }
  return row;
}
