/** Media type of all reads, regardless of `Accept`. */
export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** From here on a text is sent faster as bytes: Node would count its bytes, join it with the headers, and write it in UTF-8. */
const LONG_TEXT = 16 * 1024;

/**
 * Texts of an answer one behind the other, as they are sent fastest: long ones as bytes, into which each is written where it
 * stands. Joined as texts before, all of them would be copied once more.
 *
 * @param texts each of whole characters; half of a surrogate pair becomes U+FFFD
 */
export function bytesIfLong(...texts: readonly string[]): string | Buffer {
  if (texts.reduce((sum, { length }) => sum + length, 0) < LONG_TEXT) {
    return texts.join('');
  }
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    at += bytes.write(text, at);
  }
  // No byte of the memory that nothing was written to.
  return bytes.subarray(0, at);
}
