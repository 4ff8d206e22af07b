import {
  consistencyProof,
  inclusionProof,
  rootAt,
  verifyConsistency,
  verifyInclusion,
  type NodeReader,
} from '../log/tree.ts';
import { ProofFailedError } from './audit-trail.ts';

/** A tree that its log's key has signed. */
export interface Signed {
  readonly note: string;
  readonly size: number;
  readonly root: Buffer;
}

interface Parts {
  readonly size: number;
  readonly root: Buffer;
  /** From that root to the signed one. */
  readonly onward: readonly Buffer[];
  readonly hashes: readonly Buffer[];
}

/** What is read for an inclusion proof; nothing is checked yet. @throws RangeError */
export function readInclusion(
  read: NodeReader,
  { seq, size }: { readonly seq: number; readonly size: number },
  signed: Signed,
): Parts & { readonly seq: number; readonly leaf: Buffer } {
  const toSize = readTree(read, size, signed);
  return { ...toSize, seq, hashes: inclusionProof(seq, size, read), leaf: read(0, seq) };
}

/** What is read for a consistency proof. @throws RangeError */
export function readConsistency(
  read: NodeReader,
  { from, to }: { readonly from: number; readonly to: number },
  signed: Signed,
): Parts & { readonly from: number; readonly older: Buffer } {
  const toSize = readTree(read, to, signed);
  return { ...toSize, from, hashes: consistencyProof(from, to, read), older: rootAt(from, read) };
}

/** @throws ProofFailedError */
export function requireInclusion(parts: ReturnType<typeof readInclusion>, signed: Signed): void {
  requireTree(parts, signed);
  const { leaf, seq, size, hashes, root } = parts;
  if (!verifyInclusion(leaf, seq, size, hashes, root)) {
    throw new ProofFailedError('The record does not lead to the signed root');
  }
}

/** @throws ProofFailedError */
export function requireConsistency(
  parts: ReturnType<typeof readConsistency>,
  signed: Signed,
): void {
  requireTree(parts, signed);
  const { from, size, hashes, older, root } = parts;
  if (!verifyConsistency(from, size, hashes, older, root)) {
    throw new ProofFailedError('The older tree does not lead to the signed root');
  }
}

function readTree(read: NodeReader, size: number, signed: Signed): Omit<Parts, 'hashes'> {
  if (size > signed.size) {
    throw new RangeError('There is no tree of that size yet');
  }
  return { size, root: rootAt(size, read), onward: consistencyProof(size, signed.size, read) };
}

/** The root of an earlier tree is known only once the signed one is seen to continue it. */
function requireTree({ size, root, onward }: Omit<Parts, 'hashes'>, signed: Signed): void {
  if (!verifyConsistency(size, signed.size, onward, root, signed.root)) {
    throw new ProofFailedError('The stored log does not lead to the signed root');
  }
}
