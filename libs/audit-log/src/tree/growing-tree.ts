import { bytesInBlock, hashesInBlock, levelsInBlock } from './blocks.ts';
import { Frontier, type HashText, type NodeReader } from './tree.ts';

/** Called with each block that becomes full. The bytes are overwritten afterwards. */
export type BlockTaker = (level: number, index: number, block: Buffer) => void;

/** A growing tree and the incomplete blocks at its edge. */
export class GrowingTree {
  readonly #frontier: Frontier;
  readonly #take: BlockTaker;
  readonly #blocks: Buffer[] = [];

  /** @param read reads the nodes of a tree that is not empty */
  constructor(take: BlockTaker, frontier = new Frontier(), read?: NodeReader) {
    this.#take = take;
    this.#frontier = frontier;
    for (let level = 0, count = frontier.size; read && count > 0; level += 1) {
      const block = this.#block(level);
      const start = count - (count % hashesInBlock);
      for (let at = start; at < count; at += 1) {
        block.set(read(level * levelsInBlock, at), 32 * (at - start));
      }
      count = Math.floor(count / hashesInBlock);
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
    if (level % levelsInBlock > 0) {
      return;
    }
    const block = this.#block(level / levelsInBlock);
    const at = index % hashesInBlock;
    block.write(hash, 32 * at, 32, 'latin1');
    if (at === hashesInBlock - 1) {
      this.#take(level / levelsInBlock, (index - at) / hashesInBlock, block);
    }
  };

  #block(level: number): Buffer {
    return (this.#blocks[level] ??= Buffer.alloc(bytesInBlock));
  }
}
