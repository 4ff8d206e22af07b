import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import { getHeaderValues } from '../http/raw-request.ts';
import { isFhir } from '../problem/problem-error.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
/** 43 characters have more than 256 bits, since 62^43 > 2^256. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Pattern for secret scanners, which docs/access.md also has. */
export const KEY_PATTERN = /\bcg_(?:live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\b/u;
const FORMAT = /^cg_(live|test|sess)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/u;

/** An API key, an API key of a demo, or a session token. */
export type SecretKind = 'live' | 'test' | 'sess';

export interface SecretParts {
  readonly kind: SecretKind;
  readonly id: string;
  readonly secret: string;
}

/** Formats `cg_<kind>_<id>_<secret><checksum>`. The checksum is the CRC-32 of everything before it. */
export function formatSecret({ kind, id, secret }: SecretParts): string {
  const body = `cg_${kind}_${id}_${secret}`;
  return body + computeChecksum(body);
}

export function parseSecret(text: string): SecretParts | undefined {
  const [, kind, id, secret, sum] = FORMAT.exec(text) ?? [];
  if (sum === undefined || sum !== computeChecksum(text.slice(0, -CHECKSUM_LENGTH))) {
    return undefined;
  }
  return { kind: kind as SecretKind, id: id ?? '', secret: secret ?? '' };
}

export function createSecret(kind: SecretKind): SecretParts {
  return { kind, id: generateBase62(ID_LENGTH), secret: generateBase62(SECRET_LENGTH) };
}

function generateBase62(length: number): string {
  return Array.from({ length }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('');
}

function computeChecksum(body: string): string {
  let remainder = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = DIGITS.charAt(remainder % 62) + text;
    remainder = Math.floor(remainder / 62);
  }
  return text;
}

/** Includes the kind of a demo key in the hash, so that the same characters with another prefix are a different key. */
export function hashParts({ secret, kind }: SecretParts): Buffer {
  return hashSecret(kind === 'test' ? `test_${secret}` : secret);
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const BEARER = /^bearer +/iu;

/** Returns the API key from `x-service-api-key` or, for FHIR, from `authorization: Bearer`. */
export function readKey({
  rawHeaders,
  url,
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>):
  | { readonly text: string }
  | 'missing'
  | 'repeated' {
  const keys = getHeaderValues(rawHeaders, 'x-service-api-key');
  const bearers = isFhir(url)
    ? getHeaderValues(rawHeaders, 'authorization').filter((value) => BEARER.test(value))
    : [];
  const [text, another] = [...keys, ...bearers.map((value) => value.replace(BEARER, ''))];
  if (text === undefined) {
    return 'missing';
  }
  return another === undefined ? { text } : 'repeated';
}
