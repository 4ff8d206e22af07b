import { saltLength } from '../entry/record-text.ts';
import type { LogIdentity } from '../note/checkpoint.ts';
import type { Seal } from '../note/seal.ts';
import type { StoredEntry } from './log-source.ts';

const pieceLength = 64 * 1024;

/** Lines of a log, see `LogSource.ndjson`. */
export async function* ndjsonOf(
  identity: LogIdentity,
  items: Iterable<StoredEntry | Seal> | AsyncIterable<StoredEntry | Seal>,
  {
    checkpoint,
    isShown = () => true,
  }: {
    readonly checkpoint: string;
    readonly isShown?: ((record: StoredEntry) => boolean) | undefined;
  },
): AsyncGenerator<string> {
  let piece = headLine(identity, Number(checkpoint.split('\n')[1]));
  for await (const item of items) {
    piece += 'seq' in item ? recordLine(item, isShown(item)) : sealLine(item);
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${JSON.stringify({ checkpoint })}\n`;
}

function headLine({ origin, verifierKey }: LogIdentity, size: number): string {
  return `${JSON.stringify({ log: origin, verifier_key: verifierKey, size })}\n`;
}

function recordLine({ seq, entry, leafHash }: StoredEntry, isShown: boolean): string {
  const line = isShown
    ? {
        seq,
        salt: entry.toString('hex', 0, saltLength),
        body: entry.toString('utf8', saltLength),
      }
    : { seq, leaf_hash: leafHash.toString('hex') };
  return `${JSON.stringify(line)}\n`;
}

function sealLine({ first, size, root, checkpointSize, signature }: Seal): string {
  const seal = {
    first,
    size,
    root: root.toString('base64'),
    checkpoint_size: checkpointSize,
    signature: signature.toString('base64'),
  };
  return `${JSON.stringify({ seal })}\n`;
}
