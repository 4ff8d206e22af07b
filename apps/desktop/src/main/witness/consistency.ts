import { createHash } from 'node:crypto';
import type { Checkpoint } from './signed-note.ts';

/** Whether `proof` shows that the newer tree begins with the older one: nothing in it changed (RFC 9162, 2.1.4.2). */
export function verifyConsistency(
  older: Checkpoint,
  newer: Checkpoint,
  proof: readonly Buffer[],
): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  // An empty tree is the beginning of any.
  if (older.size === 0) return proof.length === 0 && older.root.equals(sha256());
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let [position, last] = [older.size - 1, newer.size - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  let [oldHash, newHash] = [first, first];
  for (const next of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      [oldHash, newHash] = [node(next, oldHash), node(next, newHash)];
      while (position % 2 === 0 && position !== 0) {
        [position, last] = [position / 2, half(last)];
      }
    } else {
      newHash = node(newHash, next);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && oldHash.equals(older.root) && newHash.equals(newer.root);
}

const half = (position: number): number => Math.floor(position / 2);
const isPowerOfTwo = (size: number): boolean => Number.isInteger(Math.log2(size));
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

function sha256(...parts: readonly Buffer[]): Buffer {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
}
