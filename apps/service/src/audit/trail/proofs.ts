import {
  type NodeReader,
  consistencyProof,
  inclusionProof,
  rootAt,
  verifyConsistency,
  verifyInclusion,
} from '@caregate/audit-log';
import { ProofFailedError } from './audit-trail.ts';

/** A signed tree. */
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

/** Reads an inclusion proof without verifying it. @throws RangeError */
export function readInclusion(
  read: NodeReader,
  { seq, size }: { readonly seq: number; readonly size: number },
  signed: Signed,
): Parts & { readonly seq: number; readonly leaf: Buffer } {
  const toSize = readTree(read, size, signed);
  return { ...toSize, seq, hashes: inclusionProof(seq, size, read), leaf: read(0, seq) };
}

/** Reads a consistency proof without verifying it. @throws RangeError */
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
    throw new ProofFailedError('The inclusion proof does not match the signed root');
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
    throw new ProofFailedError('The consistency proof does not match the signed root');
  }
}

/**
 * Requires that the signed tree has this leaf there.
 *
 * @param read MUST remember nodes: those of the edge of the tree are made of its records
 * @throws ProofFailedError
 */
export function requireRecord(
  read: NodeReader,
  { seq, leaf }: { readonly seq: number; readonly leaf: Buffer },
  { size, root }: Signed,
): void {
  if (!verifyInclusion(leaf, seq, size, inclusionProof(seq, size, read), root)) {
    throw new ProofFailedError(`Record ${seq} is not the one that was signed`);
  }
}

/** The same nodes, each read once: for all records of an answer. */
export function remembering(read: NodeReader): NodeReader {
  const known = new Map<string, Buffer>();
  return (level, index) => {
    const name = `${level}/${index}`;
    const node = known.get(name) ?? read(level, index);
    known.set(name, node);
    return node;
  };
}

function readTree(read: NodeReader, size: number, signed: Signed): Omit<Parts, 'hashes'> {
  if (size > signed.size) {
    throw new RangeError('The log has not reached that size yet');
  }
  return { size, root: rootAt(size, read), onward: consistencyProof(size, signed.size, read) };
}

/** The root of an earlier tree is trusted only if the signed tree is consistent with it. */
function requireTree({ size, root, onward }: Omit<Parts, 'hashes'>, signed: Signed): void {
  if (!verifyConsistency(size, signed.size, onward, root, signed.root)) {
    throw new ProofFailedError('The stored log does not match the signed root');
  }
}
