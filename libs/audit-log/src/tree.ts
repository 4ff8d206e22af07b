import { hash } from 'node:crypto';

/** The Merkle tree of RFC 6962, section 2.1. Leaves have level 0; the node `(level, place)` covers `2^level` leaves. */

export const emptyRoot: Buffer = sha256(Buffer.alloc(0));

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.of(1), left, right]));
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

/** A hash as a latin1 string, which is three times as fast as a Buffer. */
export type HashText = string;

/** Reused for the leaf's prefix, salt and body, if they fit. */
const leafBytes = Buffer.alloc(2 ** 14);

export function hashLeaf(salt: Uint8Array, body: string): HashText {
  const start = 1 + salt.length;
  const isShort = start + 3 * body.length <= leafBytes.length;
  const bytes = isShort ? leafBytes : Buffer.alloc(start + Buffer.byteLength(body));
  bytes.set(salt, 1);
  const end = start + bytes.write(body, start, 'utf8');
  return hash('sha256', bytes.subarray(0, end), 'binary');
}

const nodeBytes = Buffer.alloc(65, 1);

function hashNodeText(left: HashText, right: HashText): HashText {
  nodeBytes.write(left, 1, 32, 'latin1');
  nodeBytes.write(right, 33, 32, 'latin1');
  return hash('sha256', nodeBytes, 'binary');
}

/** Roots of a tree's complete subtrees, largest first. They are sufficient to append leaves. */
export class Frontier {
  #size = 0;
  #peaks: HashText[] = [];

  /** @param bytes 32 bytes for each root @returns undefined if they can't be those of a tree of this size */
  static parse(size: number, bytes: Buffer): Frontier | undefined {
    const tree = new Frontier();
    const text = bytes.toString('latin1');
    tree.#size = size;
    tree.#peaks = text.match(/[^]{1,32}/gu) ?? [];
    const peakCount = size.toString(2).replaceAll('0', '').length;
    return text.length === 32 * peakCount ? tree : undefined;
  }

  get size(): number {
    return this.#size;
  }

  copy(): Frontier {
    const copy = new Frontier();
    copy.#size = this.#size;
    copy.#peaks = [...this.#peaks];
    return copy;
  }

  /** @param completed called for each node that this leaf completes, lowest first */
  append(leaf: HashText, completed?: (level: number, place: number, hash: HashText) => void): void {
    let hash = leaf;
    let place = this.#size;
    for (let level = 1; place % 2 === 1; level += 1) {
      hash = hashNodeText(this.#peaks.pop() as HashText, hash);
      place = (place - 1) / 2;
      completed?.(level, place, hash);
    }
    this.#peaks.push(hash);
    this.#size += 1;
  }

  toBytes(): Buffer {
    return Buffer.from(this.#peaks.join(''), 'latin1');
  }

  computeRoot(): Buffer {
    return this.#size === 0
      ? emptyRoot
      : Buffer.from(
          this.#peaks.reduceRight((right, left) => hashNodeText(left, right)),
          'latin1',
        );
  }
}

/** Reads the hash of a complete subtree, by its level and its index within that level. */
export type NodeReader = (level: number, place: number) => Promise<Buffer>;

/**
 * Returns the root of hashes of the same level. If their number is a power of two, it is the root of a complete
 * subtree.
 */
export function hashSubtree(hashes: readonly Buffer[]): Buffer {
  const tree = new Frontier();
  hashes.forEach((hash) => {
    tree.append(hash.toString('latin1'));
  });
  return tree.computeRoot();
}

export async function readFrontier(size: number, read: NodeReader): Promise<Frontier> {
  const peaks: Buffer[] = [];
  for (let start = 0; start < size;) {
    const level = Math.floor(Math.log2(size - start));
    peaks.push(await read(level, start / 2 ** level));
    start += 2 ** level;
  }
  return Frontier.parse(size, Buffer.concat(peaks)) as Frontier;
}

/** Returns the inclusion proof of a leaf (RFC 6962, 2.1.1). @throws RangeError if there is no such leaf */
export async function buildInclusionProof(
  index: number,
  size: number,
  read: NodeReader,
): Promise<Buffer[]> {
  requireIndex(index);
  requireIndex(size);
  if (index >= size) {
    throw new RangeError('A tree of that size has no such leaf');
  }
  const buildPath = async (start: number, end: number): Promise<Buffer[]> => {
    if (end - start === 1) {
      return [];
    }
    const middle = start + split(end - start);
    return index < middle
      ? [...(await buildPath(start, middle)), await readSubtreeHash(middle, end, read)]
      : [...(await buildPath(middle, end)), await readSubtreeHash(start, middle, read)];
  };
  return await buildPath(0, size);
}

/**
 * Returns the proof that a tree extends an older one (RFC 6962, 2.1.2). @throws RangeError if `older` is larger than
 * `size`
 */
export async function buildConsistencyProof(
  older: number,
  size: number,
  read: NodeReader,
): Promise<Buffer[]> {
  requireIndex(older);
  requireIndex(size);
  if (older > size) {
    throw new RangeError('The older tree must not be larger than the newer one');
  }
  if (older === 0 || older === size) {
    return [];
  }
  const buildPath = async (start: number, end: number, isComplete: boolean): Promise<Buffer[]> => {
    if (older === end) {
      return isComplete ? [] : [await readSubtreeHash(start, end, read)];
    }
    const middle = start + split(end - start);
    return older <= middle
      ? [...(await buildPath(start, middle, isComplete)), await readSubtreeHash(middle, end, read)]
      : [...(await buildPath(middle, end, false)), await readSubtreeHash(start, middle, read)];
  };
  return await buildPath(0, size, true);
}

/** Returns the root of a range of leaves. `start` must be a multiple of the power of two that covers their number. */
async function readSubtreeHash(start: number, end: number, read: NodeReader): Promise<Buffer> {
  const count = end - start;
  const level = Math.log2(count);
  if (Number.isInteger(level)) {
    return await read(level, start / count);
  }
  const middle = start + split(count);
  return hashNode(
    await readSubtreeHash(start, middle, read),
    await readSubtreeHash(middle, end, read),
  );
}

function split(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1);
}

function requireIndex(value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError('Not a valid size or index of a tree');
  }
}
