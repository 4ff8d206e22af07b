import type { LogSource, StoredEntry } from '../log-source.ts';
import type { LogIdentity } from '../note/checkpoint.ts';
import type { Seal } from '../note/seal.ts';

const pieceLength = 64 * 1024;
const saltLength = 16;

/** Every key that signed a log, and the record that it began with; see `docs/audit-log.md`. */
interface KeyedIdentity extends LogIdentity {
  readonly keys?: readonly { readonly verifierKey: string; readonly from: number }[];
}

/**
 * The log as NDJSON for the independent verifier, in pieces of whole lines: a line with its name and keys; a line a record
 * (`{"seq":0,"salt":"<hex>","body":"<the hashed text>"}`; `{"seq":0,"leaf_hash":"<hex>"}` if it is not shown, with
 * `"erased":true` after a cut); a line with the seal after each group; a last line with the checkpoint.
 *
 * @param checkpoint of the records to export; it ends with a group
 */
export async function* exportNdjson(
  source: LogSource,
  checkpoint: string,
  isShown: (seq: number) => boolean = () => true,
): AsyncGenerator<string> {
  const size = Number(checkpoint.split('\n')[1]);
  let piece = headLine(source.identity(), size);
  for await (const item of source.read(0, size)) {
    piece += 'seq' in item ? recordLine(item, isShown(item.seq)) : sealLine(item);
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${JSON.stringify({ checkpoint })}\n`;
}

function headLine({ origin, verifierKey, keys }: KeyedIdentity, size: number): string {
  const named = (keys ?? [{ verifierKey, from: 0 }]).map(({ verifierKey: key, from }) => ({
    verifier_key: key,
    from,
  }));
  return `${JSON.stringify({ log: origin, verifier_key: verifierKey, keys: named, size })}\n`;
}

function recordLine({ seq, entry, leafHash }: StoredEntry, isShown: boolean): string {
  if (entry === undefined) {
    return `${JSON.stringify({ seq, leaf_hash: leafHash.toString('hex'), erased: true })}\n`;
  }
  const line = isShown
    ? {
        seq,
        salt: entry.toString('hex', 0, saltLength),
        body: entry.toString('utf8', saltLength),
      }
    : { seq, leaf_hash: leafHash.toString('hex') };
  return `${JSON.stringify(line)}\n`;
}

function sealLine({ size, root, checkpointSize, signature }: Seal): string {
  const seal = {
    size,
    root: root.toString('base64'),
    checkpoint_size: checkpointSize,
    signature: signature.toString('base64'),
  };
  return `${JSON.stringify({ seal })}\n`;
}
