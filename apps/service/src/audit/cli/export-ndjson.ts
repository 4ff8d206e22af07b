import type { AuditReader } from '../log/audit-reader.ts';

const pieceLength = 64 * 1024;

/**
 * The log as text for the independent verifier, in pieces: a line that names it, a line a record
 * (`{"seq":0,"salt":"<hex>","body":"<the hashed text>"}`, or `{"seq":0,"leaf_hash":"<hex>"}` where a retention cut left
 * no more or the record is not one of those to show), and a last line with the checkpoint that the records add up to.
 */
export function* exportNdjson(
  reader: AuditReader,
  checkpoint: string,
  isShown: (seq: number) => boolean = () => true,
): Generator<string> {
  const { origin, verifierKey } = reader.identity();
  const size = Number(checkpoint.split('\n')[1]);
  let piece = `${JSON.stringify({ log: origin, verifier_key: verifierKey, size })}\n`;
  const rows = reader.db
    .prepare('select seq, leaf_hash, salt, body from audit_event where seq < ? order by seq')
    .iterate(size);
  for (const { seq, leaf_hash: leaf, salt, body } of rows) {
    piece += `${JSON.stringify(
      salt === null || !isShown(Number(seq))
        ? { seq, leaf_hash: hex(leaf) }
        : { seq, salt: hex(salt), body },
    )}\n`;
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${JSON.stringify({ checkpoint })}\n`;
}

function hex(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString('hex');
}
