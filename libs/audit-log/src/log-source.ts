import { AuditBrokenError } from './errors.ts';
import type { Checkpoint, LogIdentity } from './note/checkpoint.ts';
import type { Seal } from './note/seal.ts';
import { leafHash, type HashText, type NodeReader } from './tree/tree.ts';

export interface StoredEntry {
  readonly seq: number;
  /** SHA-256(0x00, salt, body), as the hash tiles have it. */
  readonly leafHash: Buffer;
  /** 16 bytes of salt and the UTF-8 text of the record. */
  readonly entry: Buffer;
}

/** A stored log, read: the base of verification, proofs, exports and indexes, for each storage. */
export interface LogSource {
  identity(): LogIdentity;
  size(): number | Promise<number>;
  /** The newest signed checkpoint. */
  checkpoint(): string | Promise<string>;
  /**
   * Runs a computation on the nodes of the tree, maybe twice: it MUST read the same nodes whatever their values are.
   *
   * @throws AuditBrokenError if a node is missing
   */
  withNodes<T>(compute: (read: NodeReader) => T): T | Promise<T>;
  /**
   * Records from `from` to before `to`, in order, and each seal after its group.
   *
   * @throws AuditBrokenError at a missing record: never yields fewer without an error
   */
  read(from: number, to: number): Iterable<StoredEntry | Seal> | AsyncIterable<StoredEntry | Seal>;
}

/** @throws AuditBrokenError unless the stored hash is that of the record */
export function requireLeaf({ seq, entry, leafHash: stored }: StoredEntry): void {
  if (!leafHash(entry).equals(stored)) {
    throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
  }
}

export type StoredItem =
  | {
      readonly entry: Buffer;
      /** The hash of its leaf, if it is known. */
      readonly leaf?: HashText | undefined;
      /** The hash stored beside it, if there is one. */
      readonly stored?: Buffer;
    }
  /** Whether its signature is valid, if it is known. */
  | { readonly seal: Seal; readonly isSigned?: boolean | undefined };

/** A whole stored log, as its storage gives it to a verification. */
export interface WholeLog {
  readonly identity: LogIdentity;
  /** By the key, oldest first, at least one. */
  readonly checkpoints: readonly Checkpoint[];
  /** Whether checkpoints are never replaced, so that those that seals name must be there. */
  readonly hasAllCheckpoints: boolean;
  /** Undefined if it is missing or damaged. */
  tile(level: number, index: number): Buffer | undefined;
  /** Records in order and each seal after its group, in parts. @throws AuditBrokenError at anything else */
  parts(): AsyncIterable<Iterable<StoredItem>>;
  /** Requires that nothing else is stored. @throws AuditBrokenError */
  finish(size: number): void | Promise<void>;
}
