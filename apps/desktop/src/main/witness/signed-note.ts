import { createHash, createPublicKey, verify } from 'node:crypto';

/** The tree that a checkpoint signs: how many records, and the hash over them. */
export interface Checkpoint {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

interface VerifierKey {
  readonly name: string;
  /** 4 bytes. */
  readonly id: Buffer;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

// What precedes the 32 bytes of an Ed25519 public key in its SPKI form (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const ed25519 = 1;

/** Reads `<name>+<key id, hex>+<base64 of 0x01 and the key>` (C2SP signed-note); undefined where it is none. */
export function readKey(text: string): VerifierKey | undefined {
  const [, name = '', id = '', encoded = ''] =
    /^([^+\s]{1,300})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{44})$/u.exec(text.trim()) ?? [];
  const all = Buffer.from(encoded, 'base64');
  const keyId = createHash('sha256').update(`${name}\n`).update(all).digest().subarray(0, 4);
  if (all.length !== 33 || all[0] !== ed25519 || keyId.toString('hex') !== id) return undefined;
  return { name, id: keyId, bytes: all.subarray(1) };
}

/** Reads a checkpoint (C2SP tlog-checkpoint) of this log that this key signed; undefined where it isn't that. */
export function openNote(note: string, key: VerifierKey): Checkpoint | undefined {
  const end = note.indexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin = '', size = '', encoded = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n$/u.exec(text) ?? [];
  const signature = note
    .slice(end + 1)
    .split('\n')
    .filter((line) => line.startsWith(`— ${key.name} `))
    .map((line) => Buffer.from(line.slice(key.name.length + 3), 'base64'))
    .find((bytes) => bytes.length === 68 && bytes.subarray(0, 4).equals(key.id));
  if (origin !== key.name || signature === undefined) return undefined;
  const publicKey = createPublicKey({
    key: Buffer.concat([spkiPrefix, key.bytes]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.from(text), publicKey, signature.subarray(4))
    ? { size: Number(size), root: Buffer.from(encoded, 'base64') }
    : undefined;
}
