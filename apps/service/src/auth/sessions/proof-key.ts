import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { LruMap } from 'toad-cache';

export const PROOF_ALGORITHMS = ['EdDSA', 'ES256'] as const;
type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];

export interface ProofKey {
  /** RFC 7638, base64url of SHA-256. */
  readonly thumbprint: string;
  readonly algorithm: ProofAlgorithm;
  readonly publicKey: KeyObject;
}

/** Desks send the same header with every proof. */
const known = new LruMap<ProofKey>(2000);

/** Undefined if RFC 9449 or this service does not allow it. */
export function proofKeyOf(header: string): ProofKey | undefined {
  let key = known.get(header);
  if (key === undefined) {
    key = readHeader(header);
    if (key !== undefined) {
      known.set(header, key);
    }
  }
  return key;
}

function readHeader(header: string): ProofKey | undefined {
  const { typ, alg, jwk, crit } = jsonOf(header) ?? {};
  if (typ !== 'dpop+jwt' || crit !== undefined || typeof jwk !== 'object' || jwk === null) {
    return undefined;
  }
  const { kty, crv, x, y, ...more } = jwk as Record<string, unknown>;
  // A private or a symmetric key must never be sent.
  if ('d' in more || 'k' in more || !isCoordinate(x)) {
    return undefined;
  }
  if (alg === 'EdDSA' && kty === 'OKP' && crv === 'Ed25519' && y === undefined) {
    return proofKey(alg, { crv, kty, x });
  }
  return alg === 'ES256' && kty === 'EC' && crv === 'P-256' && isCoordinate(y)
    ? proofKey(alg, { crv, kty, x, y })
    : undefined;
}

/** @param jwk the required members in the order of RFC 7638 */
function proofKey(
  algorithm: ProofAlgorithm,
  jwk: Readonly<Record<string, string>>,
): ProofKey | undefined {
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const thumbprint = hash('sha256', JSON.stringify(jwk), 'base64url');
    return { algorithm, publicKey, thumbprint };
  } catch {
    // Not a point of the curve.
    return undefined;
  }
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/u.test(value);
}

export function jsonOf(segment: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
