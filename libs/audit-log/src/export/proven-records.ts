import { AuditBrokenError } from '../errors.ts';
import type { LogReader } from '../folder/log-reader.ts';
import { openCheckpoint, parseVerifierKey, publicKeyOf } from '../note/checkpoint.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { Frontier, leafHash } from '../tree/tree.ts';

const saltLength = 16;

/** A record that is there. */
interface ShownRecord {
  readonly seq: number;
  /** 16 bytes of salt and the UTF-8 text. */
  readonly entry: Buffer;
}

/**
 * The records of a log that a cut did not remove, in order, none left out: each is compared with its hash, and in the end all
 * of them with the root that the log's key signed. What was given before an error MUST NOT be relied on.
 *
 * @param note the checkpoint to end at; default: the newest one, and the sealed records after it
 * @throws AuditBrokenError if a record is missing or was changed, BadCheckpointError if the checkpoint is not of this log
 */
export function* provenRecords(log: LogReader, note?: string): Generator<ShownRecord, void> {
  const { origin, verifierKey } = log.identity();
  const key = parseVerifierKey(verifierKey);
  const checkpoint = openCheckpoint(note ?? log.checkpoint(), key);
  const size = note === undefined ? Math.max(checkpoint.size, log.size()) : checkpoint.size;
  const tree = new Frontier();
  const compare = (known: { readonly size: number; readonly root: Buffer }): void => {
    if (tree.size === known.size && !tree.root().equals(known.root)) {
      throw new AuditBrokenError(
        'altered',
        `The first ${known.size} records are not those that were signed`,
      );
    }
  };
  compare(checkpoint);
  let last: Seal | undefined;
  for (const item of log.read(0, size)) {
    if (!('seq' in item)) {
      last = { ...item, root: Buffer.from(item.root), signature: Buffer.from(item.signature) };
      continue;
    }
    const { seq, entry, leafHash: stored } = item;
    if (entry === undefined) {
      tree.append(Buffer.from(stored));
    } else {
      const leaf = leafHash(entry.subarray(0, saltLength), entry.subarray(saltLength));
      if (!leaf.equals(stored)) {
        throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
      }
      tree.append(leaf);
      yield { seq, entry };
    }
    compare(checkpoint);
  }
  if (tree.size > checkpoint.size) {
    if (last?.size !== tree.size || !isSealValid(origin, last, publicKeyOf(key))) {
      throw new AuditBrokenError('bad_signature', `Record ${tree.size - 1} is not sealed`);
    }
    compare(last);
  }
  if (tree.size < checkpoint.size) {
    throw new AuditBrokenError('gap', `Record ${tree.size} is missing`, tree.size);
  }
}
