import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
/** 62^43 > 2^256. */
const secretLength = 43;
const checksumLength = 6;

/** What a secret scanner looks for; the README and the scanner's own tests give the same. */
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

/** The parts of a key whose form and checksum are right; whether it is a key of ours is another question. */
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

/** Every digit equally likely: bytes past the last multiple of 62 are thrown away, not wrapped around. */
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

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < checksumLength; place++) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const header = 'x-service-api-key';

/**
 * The key of a request, from the header lines as they were sent: Node joins a repeated header into one value, and what
 * stands before the service (a proxy, a log) may have seen the other one.
 *
 * @param rawHeaders names and values in turn, as Node's `IncomingMessage.rawHeaders`
 */
export function presentedKey(
  rawHeaders: readonly string[],
): { key: string } | 'missing' | 'repeated' {
  let key: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === header) {
      if (key !== undefined) {
        return 'repeated';
      }
      key = rawHeaders[index + 1];
    }
  }
  return key === undefined ? 'missing' : { key };
}
