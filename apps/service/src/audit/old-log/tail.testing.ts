import type { DatabaseSync } from 'node:sqlite';
import {
  AuditBrokenError,
  MissingNodeError,
  type Checkpoint,
  type Frontier,
  type NodeReader,
  frontierAt,
  sha256,
} from '@caregate/audit-log';
import { nodeReader } from './stored-tree.ts';

/**
 * The tree of a checkpoint, read from the stored nodes.
 *
 * @throws AuditBrokenError if they do not match the root of the checkpoint
 */
export function frontierOfCheckpoint(db: DatabaseSync, checkpoint: Checkpoint): Frontier {
  try {
    const frontier = frontierAt(checkpoint.size, nodeReader(db));
    if (frontier.root().equals(checkpoint.root)) {
      return frontier;
    }
  } catch (error) {
    if (!(error instanceof MissingNodeError)) {
      throw error;
    }
  }
  throw new AuditBrokenError('forked', 'The stored tree does not match its checkpoint');
}

/**
 * Verifies everything between a known tree and the stored head: the hash of each record, each node, the head. Returns the
 * tree of the head.
 *
 * @throws AuditBrokenError if anything is missing, changed or unexpected
 */
export type TailVerifier = (known: Frontier, head: Frontier) => Frontier;

export function tailVerifier(db: DatabaseSync): TailVerifier {
  const read = nodeReader(db);
  const lastSeq = db.prepare('select max(seq) as seq from audit_event');
  const recordsFrom = db.prepare(
    `select seq, leaf_hash, cast(x'00' || salt || body as blob) as entry
     from audit_event where seq >= ? order by seq`,
  );
  return (known, head) => {
    const last = (lastSeq.get()?.['seq'] as number | null | undefined) ?? -1;
    if (last !== head.size - 1) {
      throw new AuditBrokenError(
        last < head.size - 1 ? 'truncated' : 'altered',
        'The end of the log does not match its head',
        Math.min(last + 1, head.size),
      );
    }
    const grown = known.copy();
    // Usually there are none; then the statement is not executed.
    const records = known.size < head.size ? recordsFrom.iterate(known.size) : [];
    for (const record of records) {
      appendVerified(grown, record, read);
    }
    if (grown.size !== head.size || !grown.toBytes().equals(head.toBytes())) {
      throw new AuditBrokenError('altered', 'The head does not match the stored records');
    }
    return grown;
  };
}

function appendVerified(
  grown: Frontier,
  record: Readonly<Record<string, unknown>>,
  read: NodeReader,
): void {
  const seq = record['seq'] as number;
  if (seq !== grown.size) {
    throw new AuditBrokenError('gap', `Record ${grown.size} is missing`, grown.size);
  }
  const leaf = sha256((record['entry'] as Uint8Array | null) ?? new Uint8Array());
  let holds = leaf.equals(record['leaf_hash'] as Uint8Array);
  grown.append(leaf, (level, index, hash) => {
    holds &&= hash.equals(read(level, index));
  });
  if (!holds) {
    throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
  }
}
