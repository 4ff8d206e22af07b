import type { AuditReader, LogIdentity } from '../log/audit-reader.ts';

const pieceLength = 64 * 1024;

/**
 * The log as NDJSON for the independent verifier, in chunks: a line with its name, one line per record
 * (`{"seq":0,"salt":"<hex>","body":"<the hashed text>"}`, or `{"seq":0,"leaf_hash":"<hex>"}` if a retention cut erased it
 * or it is outside the filter), and a last line with the checkpoint of these records.
 */
export function* exportNdjson(
  reader: AuditReader,
  checkpoint: string,
  isShown: (seq: number) => boolean = () => true,
): Generator<string> {
  const size = Number(checkpoint.split('\n')[1]);
  let piece = ndjsonHead(reader.identity(), size);
  const rows = reader.db
    .prepare('select seq, leaf_hash, salt, body from audit_event where seq < ? order by seq')
    .iterate(size);
  for (const row of rows) {
    piece += ndjsonLine(row, row['salt'] !== null && isShown(Number(row['seq'])));
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${JSON.stringify({ checkpoint })}\n`;
}

export function ndjsonHead({ origin, verifierKey }: LogIdentity, size: number): string {
  return `${JSON.stringify({ log: origin, verifier_key: verifierKey, size })}\n`;
}

/** A record, or only its hash if it is outside the filter. */
export function ndjsonLine(row: Readonly<Record<string, unknown>>, isShown: boolean): string {
  const seq = Number(row['seq']);
  const line = isShown
    ? { seq, salt: hex(row['salt']), body: row['body'] }
    : { seq, leaf_hash: hex(row['leaf_hash']) };
  return `${JSON.stringify(line)}\n`;
}

function hex(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString('hex');
}
