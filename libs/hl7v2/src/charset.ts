import { isAscii } from 'node:buffer';

/**
 * Decodes bytes. Returns `undefined` if they are not valid in this character set or have a NUL, which PostgreSQL
 * can't store.
 */
export type Decode = (bytes: Buffer) => string | undefined;

const decodeAscii: Decode = (bytes) => (isAscii(bytes) ? bytes.toString('latin1') : undefined);

/** @param label an encoding label of the WHATWG Encoding Standard */
function createDecoder(label: string): Decode {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    if (bytes.includes(0)) {
      return undefined;
    }
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}

/**
 * Decoders by the names that MSH-18 and `--charset` accept. Laboratories that declare 8859/1 send Windows-1252
 * characters in bytes 80 to 9F, which are control characters in ISO 8859-1, so it is decoded as Windows-1252.
 */
export const CHARSETS: ReadonlyMap<string, Decode> = new Map([
  ['ASCII', (bytes) => (bytes.includes(0) ? undefined : decodeAscii(bytes))],
  ['8859/1', createDecoder('windows-1252')],
  ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map(
    (part) => [`8859/${part}`, createDecoder(`iso-8859-${part}`)] as const,
  ),
  ['8859/9', createDecoder('windows-1254')],
  ['WINDOWS-1252', createDecoder('windows-1252')],
  ['UNICODE UTF-8', createDecoder('utf-8')],
  ['UTF-8', createDecoder('utf-8')],
]);

/**
 * @param declared MSH-18 as it was sent; only the first of several character sets is used
 * @param fallback the character set of messages that declare none or ASCII
 */
export function findDecoder(declared: string, fallback: string): Decode | undefined {
  const name = declared.trim().toUpperCase();
  return CHARSETS.get(name === '' || name === 'ASCII' ? fallback : name);
}
