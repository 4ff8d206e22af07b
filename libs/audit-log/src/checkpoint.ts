import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { BadCheckpointError } from './errors.ts';
import { sha256 } from './tree.ts';

export interface Tree {
  readonly size: number;
  readonly root: Buffer;
}

/**
 * A signed tree. The signature has the ID of the key (4 bytes) and the Ed25519 signature (64 bytes), as in a
 * checkpoint.
 */
export interface Head extends Tree {
  readonly signature: Buffer;
}

const ed25519 = 1;
const keyLength = 32;
const idLength = 4;
// The bytes before an Ed25519 public key in its SPKI form (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
/** A key name has neither spaces nor plus signs (C2SP signed-note). */
const keyName = /^[^\s+\p{Z}]+$/u;

export class VerifierKey {
  readonly name: string;
  readonly bytes: Buffer;
  /** The first four bytes of SHA-256(name, 0x0A, 0x01, public key). */
  readonly id: Buffer;
  #publicKey: KeyObject | undefined;

  private constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
    const hash = sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), bytes]));
    this.id = hash.subarray(0, idLength);
  }

  static fromKey(name: string, key: KeyObject): VerifierKey {
    const publicKey = key.type === 'public' ? key : createPublicKey(key);
    return new VerifierKey(
      name,
      publicKey.export({ type: 'spki', format: 'der' }).subarray(-keyLength),
    );
  }

  static parse(text: string): VerifierKey {
    const [name = ''] = text.trim().split('+', 1);
    const bytes = Buffer.from(text.trim().slice(name.length + '+01234567+'.length), 'base64');
    const key = new VerifierKey(name, bytes.subarray(1));
    const isKey = keyName.test(name) && bytes.length === 1 + keyLength && key.text === text.trim();
    if (!isKey) {
      throw new BadCheckpointError('Not a valid public key of a log');
    }
    return key;
  }

  /** The key as text, `<name>+<key ID, hex>+<base64 of 0x01 and the key>` (C2SP signed-note). */
  get text(): string {
    const typed = Buffer.concat([Buffer.of(ed25519), this.bytes]).toString('base64');
    return `${this.name}+${this.id.toString('hex')}+${typed}`;
  }

  get publicKey(): KeyObject {
    this.#publicKey ??= createPublicKey({
      key: Buffer.concat([spkiPrefix, this.bytes]),
      format: 'der',
      type: 'spki',
    });
    return this.#publicKey;
  }

  equals(other: VerifierKey): boolean {
    return this.name === other.name && this.bytes.equals(other.bytes);
  }

  hasSigned({ size, root, signature }: Head): boolean {
    return (
      signature.length === idLength + 64 &&
      signature.subarray(0, idLength).equals(this.id) &&
      verify(
        null,
        Buffer.from(formatCheckpointBody(this.name, { size, root })),
        this.publicKey,
        signature.subarray(idLength),
      )
    );
  }

  /** Reads a checkpoint that this key signed. Other signatures are ignored. @throws BadCheckpointError */
  open(note: string): Head {
    const tree = parseCheckpoint(note);
    if (tree.name !== this.name) {
      throw new BadCheckpointError(`The checkpoint is of ${tree.name}, not of ${this.name}`);
    }
    const head = tree.signatures
      .map((signature) => ({ size: tree.size, root: tree.root, signature }))
      .find((one) => this.hasSigned(one));
    if (head === undefined) {
      throw new BadCheckpointError('The checkpoint is not signed by this key');
    }
    return head;
  }
}

export function signHead(tree: Tree, key: KeyObject, { name, id }: VerifierKey): Head {
  const signature = sign(null, Buffer.from(formatCheckpointBody(name, tree)), key);
  return { ...tree, signature: Buffer.concat([id, signature]) };
}

/** Formats a head as a signed note (C2SP tlog-checkpoint). */
export function formatCheckpoint(name: string, head: Head): string {
  return `${formatCheckpointBody(name, head)}\n— ${name} ${head.signature.toString('base64')}\n`;
}

function formatCheckpointBody(name: string, { size, root }: Tree): string {
  return `${name}\n${size}\n${root.toString('base64')}\n`;
}

/** Reads a checkpoint and the signatures in the name of its log, without verifying them. @throws BadCheckpointError */
export function parseCheckpoint(
  note: string,
): Tree & { readonly name: string; readonly signatures: readonly Buffer[] } {
  const end = note.indexOf('\n\n') + 1;
  const [name = '', size = '', root = ''] = note.slice(0, end).split('\n');
  const tree = { size: Number(size), root: Buffer.from(root, 'base64') };
  if (
    note.slice(0, end) !== formatCheckpointBody(name, tree) ||
    !keyName.test(name) ||
    !/^(?:0|[1-9]\d{0,15})$/u.test(size) ||
    !Number.isSafeInteger(tree.size) ||
    tree.root.length !== 32 ||
    !note.endsWith('\n')
  ) {
    throw new BadCheckpointError('Not a valid checkpoint');
  }
  const start = `— ${name} `;
  const signatures = note
    .slice(end + 1)
    .split('\n')
    .filter((line) => line.startsWith(start))
    .map((line) => Buffer.from(line.slice(start.length), 'base64'));
  return { name, ...tree, signatures };
}
