import { emptyRoot, nodeHashText, sha256Text } from '../tree/tree.ts';
import { bytesOfTile, hashesOfTile, levelsOfTile } from '../tree/tiles.ts';

/** Called with each tile when its last hash is known. The bytes are overwritten afterwards. */
export type TileTaker = (level: number, index: number, tile: Buffer) => void;

/** The tree of RFC 6962 and its tiles, leaf by leaf. */
export class TilesOfLeaves {
  #size = 0;
  readonly #peaks: string[] = [];
  readonly #tiles: Buffer[] = [];
  readonly #take: TileTaker;

  constructor(take: TileTaker) {
    this.#take = take;
  }

  get size(): number {
    return this.#size;
  }

  append(leaf: string): void {
    let node = leaf;
    let level = 0;
    let index = this.#size;
    this.#keep(0, index, node);
    for (; index % 2 === 1; level += 1) {
      node = nodeHashText(this.#peaks.pop() as string, node);
      index = (index - 1) / 2;
      if ((level + 1) % levelsOfTile === 0) {
        this.#keep((level + 1) / levelsOfTile, index, node);
      }
    }
    this.#peaks.push(node);
    this.#size += 1;
  }

  root(): Buffer {
    const root = this.#peaks.reduceRight<string | undefined>(
      (right, left) => (right === undefined ? left : nodeHashText(left, right)),
      undefined,
    );
    return root === undefined ? emptyRoot : Buffer.from(root, 'latin1');
  }

  /** The tiles that are not full yet, from the leaves up: their levels are their places. */
  partial(): Buffer[] {
    return this.#tiles.map((tile, level) => {
      const hashes = Math.floor(this.#size / hashesOfTile ** level) % hashesOfTile;
      return tile.subarray(0, 32 * hashes);
    });
  }

  #keep(level: number, index: number, node: string): void {
    const tile = (this.#tiles[level] ??= Buffer.alloc(bytesOfTile));
    const at = index % hashesOfTile;
    tile.write(node, 32 * at, 32, 'latin1');
    if (at === hashesOfTile - 1) {
      this.#take(level, (index - at) / hashesOfTile, tile);
    }
  }
}

/** Hashes entries as leaves. */
export class LeafHasher {
  #bytes = Buffer.alloc(64 * 1024);

  hash(entry: Buffer): string {
    if (entry.length >= this.#bytes.length) {
      this.#bytes = Buffer.alloc(2 * entry.length);
    }
    entry.copy(this.#bytes, 1);
    return sha256Text(this.#bytes.subarray(0, entry.length + 1));
  }
}
