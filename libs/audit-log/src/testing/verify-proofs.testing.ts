import { emptyRoot, hashNode, sha256 } from '../tree.ts';

/** Hash of a leaf, from the parts of its entry: salt and body. */
export function leafHash(...entry: readonly Uint8Array[]): Buffer {
  return sha256(Buffer.concat([Buffer.of(0), ...entry]));
}

/** Verifies an inclusion proof (RFC 9162, 2.1.3.2). */
export function verifyInclusion(
  leaf: Buffer,
  index: number,
  size: number,
  proof: readonly Buffer[],
  root: Buffer,
): boolean {
  if (!(index < size)) {
    return false;
  }
  let [position, last, hash] = [index, size - 1, leaf];
  for (const next of proof) {
    if (last === 0) {
      return false;
    }
    if (position % 2 === 1 || position === last) {
      hash = hashNode(next, hash);
      while (position % 2 === 0 && position !== 0) {
        [position, last] = [position / 2, half(last)];
      }
    } else {
      hash = hashNode(hash, next);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && hash.equals(root);
}

/** Verifies a consistency proof (RFC 9162, 2.1.4.2). */
export function verifyConsistency(
  older: number,
  size: number,
  proof: readonly Buffer[],
  oldRoot: Buffer,
  newRoot: Buffer,
): boolean {
  if (older > size) {
    return false;
  }
  if (older === 0 || older === size) {
    const expected = older === size ? newRoot : emptyRoot;
    return proof.length === 0 && oldRoot.equals(expected);
  }
  const isPowerOfTwo = Number.isInteger(Math.log2(older));
  const [first, ...rest] = isPowerOfTwo ? [oldRoot, ...proof] : proof;
  if (first === undefined) {
    return false;
  }
  let [position, last] = [older - 1, size - 1];
  while (position % 2 === 1) {
    [position, last] = [half(position), half(last)];
  }
  let [oldHash, newHash] = [first, first];
  for (const next of rest) {
    if (last === 0) {
      return false;
    }
    if (position % 2 === 1 || position === last) {
      oldHash = hashNode(next, oldHash);
      newHash = hashNode(next, newHash);
      while (position % 2 === 0 && position !== 0) {
        [position, last] = [position / 2, half(last)];
      }
    } else {
      newHash = hashNode(newHash, next);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && oldHash.equals(oldRoot) && newHash.equals(newRoot);
}

function half(value: number): number {
  return Math.floor(value / 2);
}
