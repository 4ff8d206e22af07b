import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Kind } from './kinds.ts';

/** Derived from a public text: it is no secret, and development builds say so. */
export function developmentKey(): KeyObject {
  const seed = createHash('sha256')
    .update('caregate desktop, updates of development builds')
    .digest();
  // RFC 8410: an Ed25519 key in PKCS #8 is this and its seed.
  const start = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([start, seed]), format: 'der', type: 'pkcs8' });
}

/** SPKI in DER, base 64, as a package has it. */
export function pinOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** The public keys that a package pins: the publisher's by CAREGATE_UPDATE_KEYS (the next one after a comma, to change keys). */
export function updateKeys(
  kind: Kind,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (kind !== 'release') return [pinOf(developmentKey())];
  return (env['CAREGATE_UPDATE_KEYS'] ?? '').split(',').filter((key) => key !== '');
}

export function keysProblem(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return 'Say by CAREGATE_UPDATE_KEYS whose signature on updates counts.';
  if (keys.includes(pinOf(developmentKey()))) return 'A release never pins the development key.';
  return keys.every(isEd25519)
    ? undefined
    : 'CAREGATE_UPDATE_KEYS has Ed25519 public keys: SPKI in DER, base 64.';
}

function isEd25519(key: string): boolean {
  try {
    const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return read.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
