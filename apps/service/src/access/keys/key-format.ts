import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
/** 62^43 > 2^256. */
const secretLength = 43;
const checksumLength = 6;

/** Pattern for secret scanners; the same as in the README. */
export const KEY_PATTERN = /\bcg_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\b/u;
const exactly = /^cg_live_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/u;

export interface KeyParts {
  readonly keyId: string;
  readonly secret: string;
}

/** `cg_live_<id>_<secret><checksum>`; the checksum is CRC-32 of all before it. */
export function formatKey({ keyId, secret }: KeyParts): string {
  const body = `cg_live_${keyId}_${secret}`;
  return body + checksumOf(body);
}

/** Parses a key and verifies its checksum, but not whether the key exists. */
export function parseKey(text: string): KeyParts | undefined {
  const match = exactly.exec(text);
  if (match === null) {
    return undefined;
  }
  const [keyId, secret, checksum] = match.slice(1) as [string, string, string];
  return checksum === checksumOf(text.slice(0, -checksumLength)) ? { keyId, secret } : undefined;
}

export function newKeyParts(): KeyParts {
  return { keyId: randomBase62(idLength), secret: randomBase62(secretLength) };
}

/** Uniformly random: bytes from the last multiple of 62 on are discarded, to avoid modulo bias. */
export function randomBase62(
  length: number,
  random: (size: number) => Buffer = randomBytes,
): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length + 8)) {
      if (byte < 248 && text.length < length) {
        text += digits.charAt(byte % 62);
      }
    }
  }
  return text;
}

/** CRC-32 in base 62, 6 digits. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < checksumLength; place++) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** A well-formed key of a request: its id, and the SHA-256 of its secret. */
export interface PresentedKey {
  readonly keyId: string;
  readonly secretHash: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Read once a request, before the rate limits: for them and for the guard. */
    presentedKey?: KeyOfRequest;
  }
}

/** What a request sends as its key; `text` is in no key's form. */
export type KeyOfRequest = PresentedKey | { readonly text: string } | 'missing' | 'repeated';

/** Reads a key, but not whether it exists. */
export function readKey(text: string): PresentedKey | undefined {
  const parts = parseKey(text);
  return parts && { keyId: parts.keyId, secretHash: hashOf(parts.secret) };
}

/** SHA-256. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const header = 'x-service-api-key';

/**
 * The API key of a request, from the raw headers: Node joins repeated headers, and a proxy in front may have used another
 * one of them.
 *
 * @param rawHeaders names and values in turn, as Node's `IncomingMessage.rawHeaders`
 */
export function presentedKey(
  rawHeaders: readonly string[],
): { key: string } | 'missing' | 'repeated' {
  let key: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) {
      if (key !== undefined) {
        return 'repeated';
      }
      key = rawHeaders[index + 1];
    }
  }
  return key === undefined ? 'missing' : { key };
}

/** The {@link presentedKey} of a request, read. */
export function keyOfRequest(rawHeaders: readonly string[]): KeyOfRequest {
  const presented = presentedKey(rawHeaders);
  return typeof presented === 'string'
    ? presented
    : (readKey(presented.key) ?? { text: presented.key });
}
