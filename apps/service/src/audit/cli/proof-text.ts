import type { AuditReader } from '../log/audit-reader.ts';

/** A proof that record `seq` is in the tree that this checkpoint signed; hashes in base64, from the leaf up. */
export function inclusionText(reader: AuditReader, seq: number, checkpoint: string): string {
  const size = sizeOf(checkpoint);
  return json({
    log: reader.identity().origin,
    seq,
    size,
    leaf_hash: reader.leaf(seq).toString('base64'),
    proof: texts(reader.inclusion(seq, size)),
    root: reader.root(size).toString('base64'),
    checkpoint,
  });
}

/** A proof that the tree of `size` records begins with that of `older`; hashes in base64. */
export function consistencyText(reader: AuditReader, older: number, size: number): string {
  const proof = texts(reader.consistency(older, size));
  return json({
    log: reader.identity().origin,
    old: { size: older, root: reader.root(older).toString('base64') },
    new: { size, root: reader.root(size).toString('base64') },
    proof,
  });
}

export function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split('\n')[1]);
}

function texts(hashes: readonly Buffer[]): string[] {
  return hashes.map((hash) => hash.toString('base64'));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
