import { AuditBrokenError } from './errors.ts';
import type { LogIdentity } from './note/checkpoint.ts';
import type { Seal } from './note/seal.ts';
import { leafHash } from './tree/tree.ts';

/** A record as it is stored. */
export interface StoredEntry {
  readonly seq: number;
  /** SHA-256(0x00, salt, body), as the hash tiles have it. */
  readonly leafHash: Buffer;
  /** 16 bytes of salt and the UTF-8 text of the record. */
  readonly entry: Buffer;
}

/** A stored log, read: what verification, proofs, exports, tiles and the index stand on, whatever it is stored in. */
export interface LogSource {
  identity(): LogIdentity;
  /** Records up to the last seal. */
  size(): number | Promise<number>;
  /** The newest signed checkpoint, with its cosignatures. */
  checkpoint(): string | Promise<string>;
  /** A complete node of the tree; level 0 are the leaves. @throws MissingNodeError */
  node(level: number, index: number): Buffer | Promise<Buffer>;
  /**
   * Records from `from` (inclusive) to `to` (exclusive), in order, and each seal after the last record of its group.
   *
   * @throws AuditBrokenError at a record that is missing: fewer are never given without an error
   */
  read(from: number, to: number): Iterable<StoredEntry | Seal> | AsyncIterable<StoredEntry | Seal>;
}

/** @throws AuditBrokenError if the hash beside a record is not that of the record */
export function requireLeaf({ seq, entry, leafHash: stored }: StoredEntry): void {
  if (!leafHash(entry).equals(stored)) {
    throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
  }
}
