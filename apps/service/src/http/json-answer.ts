/** For all reads, regardless of `Accept`. */
export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

const LONG_TEXT = 16 * 1024;

/** Joins texts; long ones directly as bytes, which saves a copy. Half a surrogate pair becomes U+FFFD. */
export function bytesIfLong(...texts: readonly string[]): string | Buffer {
  if (texts.reduce((sum, { length }) => sum + length, 0) < LONG_TEXT) {
    return texts.join('');
  }
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    at += bytes.write(text, at);
  }
  // `allocUnsafe`: never return unwritten bytes.
  return bytes.subarray(0, at);
}
