import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { sha256 } from '../tree/tree.ts';
import { publicKeyOf } from './checkpoint.ts';
import { isKeyName } from './signed-note.ts';

export type CosignerAlgorithm = 'ed25519' | 'ml-dsa-44';

/** Public key of a witness, which verifies its cosignatures (C2SP tlog-cosignature). */
export interface CosignerKey {
  readonly name: string;
  readonly id: Buffer;
  readonly algorithm: CosignerAlgorithm;
  /** 32 bytes of Ed25519, or 1312 of ML-DSA-44. */
  readonly bytes: Buffer;
}

/** Name and private key of a witness. */
export interface Cosigner {
  readonly name: string;
  readonly key: KeyObject;
}

interface Kind {
  readonly algorithm: CosignerAlgorithm;
  readonly type: number;
  readonly keyLength: number;
  readonly signatureLength: number;
}

const kinds: readonly Kind[] = [
  { algorithm: 'ed25519', type: 4, keyLength: 32, signatureLength: 64 },
  { algorithm: 'ml-dsa-44', type: 6, keyLength: 1312, signatureLength: 2420 },
];
// SPKI prefix of an ML-DSA-44 public key (RFC 9881).
const mlDsaPrefix = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');

export function kindOf(algorithm: CosignerAlgorithm): Kind {
  return kinds.find((kind) => kind.algorithm === algorithm) as Kind;
}

export function cosignerKey({ name, key }: Cosigner): CosignerKey {
  const kind = kinds.find(({ algorithm }) => algorithm === key.asymmetricKeyType);
  if (kind === undefined) {
    throw new BadCheckpointError('A witness signs with Ed25519 or ML-DSA-44');
  }
  const publicKey = key.type === 'public' ? key : createPublicKey(key);
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-kind.keyLength);
  return { name, id: keyId(name, kind, bytes), algorithm: kind.algorithm, bytes };
}

/** `<name>+<key id, hex>+<base64 of the type and the key>` (C2SP signed-note). */
export function formatCosignerKey({ name, id, algorithm, bytes }: CosignerKey): string {
  const encoded = Buffer.concat([Buffer.of(kindOf(algorithm).type), bytes]).toString('base64');
  return `${name}+${id.toString('hex')}+${encoded}`;
}

export function parseCosignerKey(text: string): CosignerKey {
  // Base64 may contain a +; name and id may not.
  const [, name = '', id = '', encoded = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const all = Buffer.from(encoded, 'base64');
  const bytes = all.subarray(1);
  const kind = kinds.find(({ type }) => type === all[0]);
  if (kind === undefined && isKeyName(name) && all.length > 1) {
    throw new BadCheckpointError(
      'Not the key of a witness: expected signature type 4 (Ed25519) or 6 (ML-DSA-44)',
    );
  }
  if (
    kind?.keyLength !== bytes.length ||
    !isKeyName(name) ||
    all.toString('base64') !== encoded ||
    keyId(name, kind, bytes).toString('hex') !== id
  ) {
    throw new BadCheckpointError('Not a valid key of a witness');
  }
  return { name, id: Buffer.from(id, 'hex'), algorithm: kind.algorithm, bytes };
}

/** The key for `verify`. @throws the system's error where this Node has no ML-DSA */
export function cosignerPublicKey(key: CosignerKey): KeyObject {
  if (key.algorithm === 'ed25519') {
    return publicKeyOf(key);
  }
  const der = Buffer.concat([mlDsaPrefix, key.bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** Keys for a new witness: Ed25519, and ML-DSA-44 where Node supports it. */
export function newCosigners(name: string): readonly Cosigner[] {
  const cosigners = [{ name, key: generateKeyPairSync('ed25519').privateKey }];
  try {
    return [...cosigners, { name, key: generateKeyPairSync('ml-dsa-44').privateKey }];
  } catch {
    return cosigners;
  }
}

function keyId(name: string, { type }: Kind, bytes: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), bytes])).subarray(0, 4);
}
