import { AuditBrokenError } from '../../errors.ts';
import { hashesOfTile, rootOfHashes } from '../../tree/tiles.ts';
import { Frontier } from '../../tree/tree.ts';
import { readHashes, type Queryable } from './stored-tree.ts';

/** A tile that has become full. */
export interface FullTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Buffer;
  /** The root of its own tree: a hash of the tile above. */
  readonly root: Buffer;
}

/** The tree as an appender needs it: its frontier, and the tiles that are not full yet. */
export class TreeEdge {
  readonly #frontier: Frontier;
  /** By level, the hashes of the last tile; never all of them. */
  readonly #partial: Buffer[][];

  private constructor(frontier: Frontier, partial: Buffer[][]) {
    this.#frontier = frontier;
    this.#partial = partial;
  }

  static empty(): TreeEdge {
    return new TreeEdge(new Frontier(), []);
  }

  /**
   * Reads the edge of a tree that is known.
   *
   * @throws AuditBrokenError if the stored hashes are not those of the tree
   */
  static async read(db: Queryable, logId: string, known: Frontier): Promise<TreeEdge> {
    const { size } = known;
    const partial: Buffer[][] = [];
    for (let level = 0, count = size; count > 0; level += 1) {
      const full = Math.floor(count / hashesOfTile);
      partial.push(await readHashes(db, logId, [level, full * hashesOfTile, count]));
      count = full;
    }
    const peaks = partial.toReversed().flatMap(peaksOf);
    try {
      if (new Frontier(size, peaks).root().equals(known.root())) {
        return new TreeEdge(known.copy(), partial);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
    }
    throw new AuditBrokenError('forked', 'The stored tree does not match its seal');
  }

  get size(): number {
    return this.#frontier.size;
  }

  root(): Buffer {
    return this.#frontier.root();
  }

  copy(): TreeEdge {
    return new TreeEdge(
      this.#frontier.copy(),
      this.#partial.map((hashes) => [...hashes]),
    );
  }

  /** @param filled called for each tile that this leaf fills, from the lowest up */
  append(leaf: Buffer, filled: (tile: FullTile) => void): void {
    let hash = leaf;
    let count = this.#frontier.size + 1;
    this.#frontier.append(leaf);
    for (let level = 0; ; level += 1) {
      const hashes = (this.#partial[level] ??= []);
      hashes.push(hash);
      if (hashes.length < hashesOfTile) {
        return;
      }
      const bytes = Buffer.concat(hashes.splice(0));
      hash = rootOfHashes(bytes);
      count /= hashesOfTile;
      filled({ level, index: count - 1, hashes: bytes, root: hash });
    }
  }
}

/** Roots of the complete subtrees over these hashes, largest first. */
function peaksOf(hashes: readonly Buffer[]): Buffer[] {
  const peaks: Buffer[] = [];
  for (let start = 0; start < hashes.length;) {
    const count = 2 ** Math.floor(Math.log2(hashes.length - start));
    peaks.push(rootOfHashes(Buffer.concat(hashes.slice(start, start + count))));
    start += count;
  }
  return peaks;
}
