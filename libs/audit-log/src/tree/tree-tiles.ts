import { bytesOfTile, hashesOfTile, levelsOfTile } from './tiles.ts';
import { Frontier, type HashText, type NodeReader } from './tree.ts';

/** Called with each tile that becomes full. The bytes are overwritten afterwards. */
export type TileTaker = (level: number, index: number, tile: Buffer) => void;

/** A growing tree and the incomplete tiles at its edge. */
export class TreeTiles {
  readonly #frontier: Frontier;
  readonly #take: TileTaker;
  readonly #tiles: Buffer[] = [];

  /** @param read reads the nodes of a tree that is not empty */
  constructor(take: TileTaker, frontier = new Frontier(), read?: NodeReader) {
    this.#take = take;
    this.#frontier = frontier;
    for (let level = 0, count = frontier.size; read && count > 0; level += 1) {
      const tile = this.#tile(level);
      const start = count - (count % hashesOfTile);
      for (let at = start; at < count; at += 1) {
        tile.set(read(level * levelsOfTile, at), 32 * (at - start));
      }
      count = Math.floor(count / hashesOfTile);
    }
  }

  get size(): number {
    return this.#frontier.size;
  }

  root(): Buffer {
    return this.#frontier.root();
  }

  copyTree(): Frontier {
    return this.#frontier.copy();
  }

  append(leaf: HashText): void {
    this.#put(0, this.size, leaf);
    this.#frontier.appendText(leaf, this.#put);
  }

  readonly #put = (level: number, index: number, hash: HashText): void => {
    if (level % levelsOfTile > 0) {
      return;
    }
    const tile = this.#tile(level / levelsOfTile);
    const at = index % hashesOfTile;
    tile.write(hash, 32 * at, 32, 'latin1');
    if (at === hashesOfTile - 1) {
      this.#take(level / levelsOfTile, (index - at) / hashesOfTile, tile);
    }
  };

  #tile(level: number): Buffer {
    return (this.#tiles[level] ??= Buffer.alloc(bytesOfTile));
  }
}
