import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { blockPath, bytesInBlock, isFullBlock, nodesFromBlocks } from '../tree/blocks.ts';
import { caching, type NodeReader, ownCopy } from '../tree/tree.ts';
import type { StoredRecords } from './stored-records.ts';

const mostBlocks = 512;
const mostNodes = 65_536;

export class StoredBlocks {
  readonly #disk: Disk;
  readonly #audit: string;
  readonly #blocks = new Map<string, Buffer>();

  constructor(disk: Disk, audit: string) {
    this.#disk = disk;
    this.#audit = audit;
  }

  full(level: number, index: number): Buffer | undefined {
    const path = blockPath(level, index);
    const cached = this.#blocks.get(path);
    if (cached !== undefined) {
      return cached;
    }
    const bytes = this.#disk.read(join(this.#audit, path));
    if (bytes?.length !== bytesInBlock) {
      return undefined;
    }
    if (this.#blocks.size >= mostBlocks) {
      this.#blocks.clear();
    }
    this.#blocks.set(path, ownCopy(bytes));
    return bytes;
  }
}

/** Nodes of a stored log, unchecked: from blocks up to `durableSize`, else from records. */
export function storedNodes(
  blocks: StoredBlocks,
  records: StoredRecords,
  durableSize: () => number,
): NodeReader {
  const read = nodesFromBlocks(
    (level, index) =>
      isFullBlock(durableSize(), level, index) ? blocks.full(level, index) : undefined,
    (seq) => records.leaf(seq),
  );
  // A root at the edge takes up to 255 records. A node never changes.
  return caching(read, mostNodes);
}
