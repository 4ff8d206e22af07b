import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { sha256 } from '../tree/tree.ts';

/** Name, size and root hash of a log, as in a signed checkpoint. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export interface LogIdentity {
  readonly logId: string;
  readonly origin: string;
  readonly verifierKey: string;
}

export interface VerifierKey {
  readonly name: string;
  /** First four bytes of SHA-256(name, 0x0A, 0x01, public key). */
  readonly id: Buffer;
  readonly bytes: Buffer;
}

const ed25519 = 1;
const rawKeyLength = 32;
const signatureLength = 64;
// SPKI prefix of an Ed25519 public key (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function verifierKey(name: string, key: KeyObject): VerifierKey {
  const bytes = (key.type === 'public' ? key : createPublicKey(key))
    .export({ type: 'spki', format: 'der' })
    .subarray(-rawKeyLength);
  return { name, id: keyId(name, bytes), bytes };
}

/** `<name>+<key id, hex>+<base64 of 0x01 and the key>` (C2SP signed-note). */
export function formatVerifierKey(key: VerifierKey): string {
  const encoded = Buffer.concat([Buffer.of(ed25519), key.bytes]).toString('base64');
  return `${key.name}+${key.id.toString('hex')}+${encoded}`;
}

export function parseVerifierKey(text: string): VerifierKey {
  // Base64 may contain a +; name and id may not.
  const [, name = '', id = '', encoded = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text.trim()) ?? [];
  const all = Buffer.from(encoded, 'base64');
  const bytes = all.subarray(1);
  if (
    all[0] !== ed25519 ||
    bytes.length !== rawKeyLength ||
    keyId(name, bytes).toString('hex') !== id
  ) {
    throw new BadCheckpointError('Not a valid public key of a log');
  }
  return { name, id: Buffer.from(id, 'hex'), bytes };
}

/** For `verify` of node:crypto. */
export function publicKeyOf(key: VerifierKey): KeyObject {
  const der = Buffer.concat([spkiPrefix, key.bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** Signs a checkpoint (C2SP tlog-checkpoint). */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = checkpointText(checkpoint);
  const { id } = verifierKey(checkpoint.origin, key);
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64');
  return `${text}\n— ${checkpoint.origin} ${signature}\n`;
}

/**
 * Parses a checkpoint and verifies this key's signature; ignores others.
 *
 * @throws BadCheckpointError
 */
export function openCheckpoint(note: string, key: VerifierKey): Checkpoint {
  const { checkpoint, text, signatures } = splitNote(note);
  const signature = signatures
    .filter((line) => line.startsWith(`— ${key.name} `))
    .map((line) => signatureBytes(line.slice(key.name.length + 3)))
    .find((bytes) => bytes.length === 4 + signatureLength && bytes.subarray(0, 4).equals(key.id));
  if (signature === undefined) {
    throw new BadCheckpointError('The checkpoint is not signed by this key');
  }
  if (
    checkpoint.origin !== key.name ||
    !verify(null, Buffer.from(text), publicKeyOf(key), signature.subarray(4))
  ) {
    throw new BadCheckpointError('The signature of the checkpoint is not valid');
  }
  return checkpoint;
}

/** The same; undefined if it is not signed by this key. */
export function openedCheckpoint(note: string, key: VerifierKey): Checkpoint | undefined {
  try {
    return openCheckpoint(note, key);
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Parses the text of a checkpoint, without signatures; extension lines are allowed.
 *
 * @throws BadCheckpointError
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...more] = text.split('\n');
  const checkpoint = { origin, size: Number(size), root: Buffer.from(root, 'base64') };
  if (
    origin === '' ||
    !/^(?:0|[1-9]\d{0,15})$/u.test(size) ||
    !Number.isSafeInteger(checkpoint.size) ||
    checkpoint.root.length !== 32 ||
    !text.startsWith(checkpointText(checkpoint)) ||
    more.pop() !== '' ||
    more.includes('')
  ) {
    throw new BadCheckpointError('Not a valid checkpoint');
  }
  return checkpoint;
}

function splitNote(note: string): { checkpoint: Checkpoint; text: string; signatures: string[] } {
  const end = note.indexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const checkpoint = parseCheckpoint(text);
  if (checkpointText(checkpoint) !== text || !note.endsWith('\n')) {
    throw new BadCheckpointError('Not a valid checkpoint');
  }
  return { checkpoint, text, signatures: note.slice(end + 1).split('\n') };
}

/** Rejects non-canonical base64, which Node's decoder accepts. */
function signatureBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0);
}

function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

function keyId(name: string, bytes: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), bytes])).subarray(
    0,
    4,
  );
}
