import type { DatabaseSync } from 'node:sqlite';
import { AuditBrokenError, Frontier, MissingNodeError, type NodeReader } from '@caregate/audit-log';

/** Reads the nodes of the log in this file. */
export function nodeReader(db: DatabaseSync): NodeReader {
  const leaf = db.prepare('select leaf_hash as hash from audit_event where seq = ?');
  const node = db.prepare('select hash from audit_node where level = ? and idx = ?');
  return (level, index) => {
    const row = level === 0 ? leaf.get(index) : node.get(level, index);
    if (row === undefined) {
      throw new MissingNodeError(level, index);
    }
    return Buffer.from(row['hash'] as Uint8Array);
  };
}

/** Reads the tree of the last commit. @throws AuditBrokenError if the head is invalid */
export type HeadReader = () => Frontier;

export function headReader(db: DatabaseSync): HeadReader {
  const head = db.prepare('select size, frontier from audit_head');
  return () => {
    const row = head.get();
    if (row === undefined) {
      return new Frontier();
    }
    try {
      return Frontier.fromBytes(row['size'] as number, row['frontier'] as Uint8Array);
    } catch (error) {
      if (error instanceof RangeError) {
        throw new AuditBrokenError('altered', 'The head of the log was altered');
      }
      throw error;
    }
  };
}

/** Reads the head once. */
export function readHead(db: DatabaseSync): Frontier {
  return headReader(db)();
}
