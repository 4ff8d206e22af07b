import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import { headerValues } from '../../http/raw-request.ts';
import { isFhir } from '../../problem/problem-error.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
/** 62^43 > 2^256. */
const secretLength = 43;
const checksumLength = 6;

/** Pattern for secret scanners; the same as in the README. */
export const KEY_PATTERN = /\bcg_(?:live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\b/u;
const exactly = /^cg_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/u;

export interface KeyParts {
  readonly keyId: string;
  readonly secret: string;
  readonly kind: 'live' | 'test';
}

/** `cg_live_<id>_<secret><checksum>`, `cg_test_` for a demo; the checksum is CRC-32 of all before it. */
export function formatKey({ keyId, secret, kind }: KeyParts): string {
  const body = `cg_${kind}_${keyId}_${secret}`;
  return body + checksumOf(body);
}

export function parseKey(text: string): KeyParts | undefined {
  const match = exactly.exec(text);
  if (match === null) {
    return undefined;
  }
  const [kind, keyId, secret, checksum] = match.slice(1) as [KeyParts['kind'], ...string[]];
  const isWhole = checksum === checksumOf(text.slice(0, -checksumLength));
  return isWhole ? { keyId: keyId ?? '', secret: secret ?? '', kind } : undefined;
}

export function newKeyParts(kind: KeyParts['kind'] = 'live'): KeyParts {
  return { keyId: randomBase62(idLength), secret: randomBase62(secretLength), kind };
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

export function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < checksumLength; place++) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

export interface PresentedKey {
  readonly keyId: string;
  readonly secretHash: Buffer;
}

/** `text`: malformed. */
export type KeyOfRequest = PresentedKey | { readonly text: string } | 'missing' | 'repeated';

export function readKey(text: string): PresentedKey | undefined {
  const parts = parseKey(text);
  if (parts === undefined) {
    return undefined;
  }
  return { keyId: parts.keyId, secretHash: secretHashOf(parts) };
}

/** The kind is part of it: a key with the other prefix is another secret. */
export function secretHashOf({ secret, kind }: KeyParts): Buffer {
  return hashOf(kind === 'live' ? secret : `${kind}_${secret}`);
}

export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const bearer = /^bearer +/iu;

/** From `x-service-api-key` or, for FHIR, `authorization: Bearer`. */
export function keyOfRequest(request: Pick<IncomingMessage, 'rawHeaders' | 'url'>): KeyOfRequest {
  const { rawHeaders } = request;
  const keys = headerValues(rawHeaders, 'x-service-api-key');
  const [text, another] = isFhir(request.url) ? [...keys, ...bearers(rawHeaders)] : keys;
  if (text === undefined || another !== undefined) {
    return text === undefined ? 'missing' : 'repeated';
  }
  return readKey(text) ?? { text };
}

function bearers(rawHeaders: readonly string[]): readonly string[] {
  return headerValues(rawHeaders, 'authorization')
    .filter((value) => bearer.test(value))
    .map((value) => value.replace(bearer, ''));
}
