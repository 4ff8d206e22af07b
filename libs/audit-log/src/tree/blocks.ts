import { MissingNodeError } from '../errors.ts';
import { nodeHash, type NodeReader } from './tree.ts';

/** Nodes of the tree are stored in blocks: block `(level, index)` has the hashes of nodes `256 index` and on of level `8 level`. */

export const hashesInBlock = 256;
export const levelsInBlock = 8;
export const bytesInBlock = 32 * hashesInBlock;

/** Its file, under `audit`. */
export function blockPath(level: number, index: number): string {
  return `nodes/${level}/${index}`;
}

/** Whether a log of this size has all hashes of the block. */
export function isFullBlock(size: number, level: number, index: number): boolean {
  return (index + 1) * hashesInBlock ** (level + 1) <= size;
}

export type BlockReader = (level: number, index: number) => Buffer | undefined;

/** From blocks, from lower ones if one is missing, and leaves from `leaf`. @throws MissingNodeError */
export function nodesFromBlocks(
  block: BlockReader,
  leaf: (index: number) => Buffer | undefined,
): NodeReader {
  const read: NodeReader = (level, index) => {
    const hashes = 2 ** (level % levelsInBlock);
    const first = index * hashes;
    const bytes = block(Math.floor(level / levelsInBlock), Math.floor(first / hashesInBlock));
    const start = 32 * (first % hashesInBlock);
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
