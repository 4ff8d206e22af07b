import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { ed25519Key, formatNoteKey, noteKey, parseNoteKey, rawPublicKey } from './note-key.ts';
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

interface Kind {
  readonly algorithm: CosignerAlgorithm;
  readonly type: number;
  readonly keyLength: number;
  readonly signatureLength: number;
}

/** ML-DSA-44 cosigns no longer ones. */
export const mostBytesOfName = 255;

const kinds: readonly Kind[] = [
  { algorithm: 'ed25519', type: 4, keyLength: 32, signatureLength: 64 },
  { algorithm: 'ml-dsa-44', type: 6, keyLength: 1312, signatureLength: 2420 },
];
// SPKI prefix of an ML-DSA-44 public key (RFC 9881).
const mlDsaPrefix = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');

export function kindOf(algorithm: CosignerAlgorithm): Kind {
  return kinds.find((kind) => kind.algorithm === algorithm) as Kind;
}

export function cosignerKey({ name, key }: Pick<Cosigner, 'name' | 'key'>): CosignerKey {
  const kind = kinds.find(({ algorithm }) => algorithm === key.asymmetricKeyType);
  if (kind === undefined) {
    throw new BadCheckpointError('A witness signs with Ed25519 or ML-DSA-44');
  }
  const { id, bytes } = noteKey(name, kind.type, rawPublicKey(key, kind.keyLength));
  return { name, id, algorithm: kind.algorithm, bytes };
}

export function formatCosignerKey(key: CosignerKey): string {
  return formatNoteKey({ ...key, type: kindOf(key.algorithm).type });
}

export function parseCosignerKey(text: string): CosignerKey {
  const key = parseNoteKey(text);
  const kind = kinds.find(({ type }) => type === key?.type);
  if (key !== undefined && kind === undefined) {
    throw new BadCheckpointError(
      'Not the key of a witness: expected signature type 4 (Ed25519) or 6 (ML-DSA-44)',
    );
  }
  if (key === undefined || kind?.keyLength !== key.bytes.length) {
    throw new BadCheckpointError('Not a valid key of a witness');
  }
  return { name: key.name, id: key.id, algorithm: kind.algorithm, bytes: key.bytes };
}

/** The key for `verify`. @throws the system's error where this Node has no ML-DSA */
export function cosignerPublicKey(key: CosignerKey): KeyObject {
  if (key.algorithm === 'ed25519') {
    return ed25519Key(key.bytes);
  }
  const der = Buffer.concat([mlDsaPrefix, key.bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

export class Cosigner {
  readonly name: string;
  readonly key: KeyObject;

  constructor(name: string, key: KeyObject) {
    this.name = name;
    this.key = key;
  }

  /** Keys for a new witness: Ed25519, and ML-DSA-44 where Node supports it. */
  static make(name: string): readonly Cosigner[] {
    const cosigners = [new Cosigner(name, generateKeyPairSync('ed25519').privateKey)];
    try {
      return [...cosigners, new Cosigner(name, generateKeyPairSync('ml-dsa-44').privateKey)];
    } catch {
      return cosigners;
    }
  }

  static isName(name: string): boolean {
    return isKeyName(name) && Buffer.byteLength(name) <= mostBytesOfName;
  }

  get algorithm(): CosignerAlgorithm {
    return cosignerKey(this).algorithm;
  }

  /** As in policy files. */
  get verifierKey(): string {
    return formatCosignerKey(cosignerKey(this));
  }
}
