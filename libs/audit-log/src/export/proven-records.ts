import { AuditBrokenError } from '../errors.ts';
import { requireLeaf, type LogSource, type StoredEntry } from '../log-source.ts';
import { openCheckpoint, parseVerifierKey, publicKeyOf } from '../note/checkpoint.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { Frontier } from '../tree/tree.ts';

/**
 * All records and seals in order. Each record is compared with its hash, and all of them with the signed root at the end: after
 * an error nothing that was yielded is valid. Everything that shows records reads them here.
 *
 * @param note the checkpoint to end at; default: the newest one and the sealed records after it
 * @throws AuditBrokenError if a record is missing or altered, BadCheckpointError if the checkpoint is not of this log
 */
export async function* provenRecords(
  log: LogSource,
  note?: string,
): AsyncGenerator<StoredEntry | Seal, void> {
  const { origin, verifierKey } = log.identity();
  const key = parseVerifierKey(verifierKey);
  const checkpoint = openCheckpoint(note ?? (await log.checkpoint()), key);
  const size = note === undefined ? Math.max(checkpoint.size, await log.size()) : checkpoint.size;
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
  for await (const item of log.read(0, size)) {
    if (!('seq' in item)) {
      last = { ...item, root: Buffer.from(item.root), signature: Buffer.from(item.signature) };
      yield item;
      continue;
    }
    requireLeaf(item);
    tree.append(item.leafHash);
    yield item;
    compare(checkpoint);
  }
  if (tree.size > checkpoint.size) {
    if (last?.size !== tree.size || !isSealValid(origin, last, publicKeyOf(key))) {
      throw new AuditBrokenError('bad_signature', `Record ${tree.size - 1} is not sealed`);
    }
    compare(last);
  }
}
