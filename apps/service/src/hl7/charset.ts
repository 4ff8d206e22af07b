import { isAscii } from 'node:buffer';

/** Undefined if the bytes are not of this character set, or have a NUL, which PostgreSQL can't store. */
export type Decode = (bytes: Buffer) => string | undefined;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const ascii: Decode = (bytes) => (isAscii(bytes) ? bytes.toString('latin1') : undefined);

/** ISO 8859-1 has no characters from 80 to 9F; text of Windows-1252 does. */
const latin1: Decode = (bytes) => {
  const text = bytes.toString('latin1');
  return /[\x80-\x9f]/u.test(text) ? undefined : text;
};

const utf8: Decode = (bytes) => {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
};

const withoutNul =
  (decode: Decode): Decode =>
  (bytes) =>
    bytes.includes(0) ? undefined : decode(bytes);

/** By MSH-18. */
export const CHARSETS: ReadonlyMap<string, Decode> = new Map([
  ['', withoutNul(ascii)],
  ['ASCII', withoutNul(ascii)],
  ['8859/1', withoutNul(latin1)],
  ['UNICODE UTF-8', withoutNul(utf8)],
]);
