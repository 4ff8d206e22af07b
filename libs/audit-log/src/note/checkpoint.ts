import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { verifyConsistency } from '../tree/tree.ts';
import { formatNoteKey, noteKey, parseNoteKey, rawPublicKey, type NoteKey } from './note-key.ts';

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

const ed25519 = 1;
const rawKeyLength = 32;
const signatureLength = 64;
// SPKI prefix of an Ed25519 public key (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function ed25519Key(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([spkiPrefix, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

class SignedCheckpoint implements Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;

  constructor({ origin, size, root }: Checkpoint) {
    this.origin = origin;
    this.size = size;
    this.root = root;
  }

  /** Whether the hashes of a consistency proof show that this log begins with that of the older checkpoint. */
  extends(older: Pick<Checkpoint, 'size' | 'root'>, proof: readonly Buffer[]): boolean {
    return verifyConsistency(older.size, this.size, proof, older.root, this.root);
  }
}

/** The public key of a log, and its name: it opens what the log signed. */
export class VerifierKey {
  readonly name: string;
  /** First four bytes of SHA-256(name, 0x0A, 0x01, public key). */
  readonly id: Buffer;
  readonly bytes: Buffer;

  private constructor({ name, id, bytes }: NoteKey) {
    this.name = name;
    this.id = id;
    this.bytes = bytes;
  }

  /** Of either half of the key pair. */
  static of(name: string, key: KeyObject): VerifierKey {
    return new VerifierKey(noteKey(name, ed25519, rawPublicKey(key, rawKeyLength)));
  }

  /** @throws BadCheckpointError */
  static parse(text: string): VerifierKey {
    const key = parseNoteKey(text.trim());
    if (key?.type !== ed25519 || key.bytes.length !== rawKeyLength) {
      throw new BadCheckpointError('Not a valid public key of a log');
    }
    return new VerifierKey(key);
  }

  /** `<name>+<key id, hex>+<base64 of 0x01 and the key>` (C2SP signed-note). */
  get text(): string {
    return formatNoteKey({ name: this.name, id: this.id, type: ed25519, bytes: this.bytes });
  }

  get publicKey(): KeyObject {
    return ed25519Key(this.bytes);
  }

  /** Verifies this key's signature and ignores others. @throws BadCheckpointError */
  open(note: string): SignedCheckpoint {
    const { checkpoint, text, signatures } = splitNote(note);
    const signature = signatures
      .filter((line) => line.startsWith(`— ${this.name} `))
      .map((line) => signatureBytes(line.slice(this.name.length + 3)))
      .find(
        (bytes) => bytes.length === 4 + signatureLength && bytes.subarray(0, 4).equals(this.id),
      );
    if (signature === undefined) {
      throw new BadCheckpointError('The checkpoint is not signed by this key');
    }
    if (
      checkpoint.origin !== this.name ||
      !verify(null, Buffer.from(text), this.publicKey, signature.subarray(4))
    ) {
      throw new BadCheckpointError('The signature of the checkpoint is not valid');
    }
    return new SignedCheckpoint(checkpoint);
  }

  /** The same; undefined if it is not signed by this key. */
  tryOpen(note: string): SignedCheckpoint | undefined {
    try {
      return this.open(note);
    } catch (error) {
      if (error instanceof BadCheckpointError) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Signs a checkpoint (C2SP tlog-checkpoint). */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = checkpointText(checkpoint);
  const { id } = VerifierKey.of(checkpoint.origin, key);
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64');
  return `${text}\n— ${checkpoint.origin} ${signature}\n`;
}

/** Without signatures; extension lines are allowed. @throws BadCheckpointError */
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
