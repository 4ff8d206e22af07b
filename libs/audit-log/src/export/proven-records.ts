import { AuditBrokenError } from '../errors.ts';
import { requireLeaf, type LogSource, type StoredEntry } from '../log-source.ts';
import { openCheckpoint, parseVerifierKey, publicKeyOf } from '../note/checkpoint.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { Frontier } from '../tree/tree.ts';

/**
 * The records of a log in order, none left out, and the seal behind each group: each record is compared with its hash, and in
 * the end all of them with the root that the log's key signed. What was given before an error MUST NOT be relied on.
 *
 * Whatever shows records to people reads them here.
 *
 * @param note the checkpoint to end at; default: the newest one, and the sealed records after it
 * @throws AuditBrokenError if a record is missing or was changed, BadCheckpointError if the checkpoint is not of this log
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
