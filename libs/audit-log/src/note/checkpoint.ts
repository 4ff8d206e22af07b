import { sign, verify, type KeyObject } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { sha256, verifyConsistency } from '../tree/tree.ts';
import {
  changeIn,
  isChangeValid,
  packChanges,
  unpackChanges,
  type KeyChange,
} from './key-change.ts';
import {
  ed25519Key,
  ed25519Type,
  formatNoteKey,
  noteKey,
  parseNoteKey,
  rawPublicKey,
  type NoteKey,
} from './note-key.ts';

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export interface LogIdentity {
  readonly logId: string;
  readonly origin: string;
  /** The first key of the log; checkpoints and records name its successors. */
  readonly verifierKey: string;
}

const rawKeyLength = 32;
const signatureLength = 64;

class SignedCheckpoint implements Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  /** Keys of the log, up to the one that signed. */
  readonly keys: LogKeys;

  constructor({ origin, size, root }: Checkpoint, keys: LogKeys) {
    this.origin = origin;
    this.size = size;
    this.root = root;
    this.keys = keys;
  }

  /** Whether the hashes of a consistency proof show that this log begins with that of the older checkpoint. */
  extends(older: Pick<Checkpoint, 'size' | 'root'>, proof: readonly Buffer[]): boolean {
    return verifyConsistency(older.size, this.size, proof, older.root, this.root);
  }
}

/** A public key of a log with its name. Opens what the log signed. */
export class VerifierKey {
  readonly name: string;
  /** First four bytes of SHA-256(name, 0x0A, 0x01, public key). */
  readonly id: Buffer;
  readonly bytes: Buffer;
  #publicKey: KeyObject | undefined;

  private constructor({ name, id, bytes }: NoteKey) {
    this.name = name;
    this.id = id;
    this.bytes = bytes;
  }

  /** Of either half of the key pair. */
  static of(name: string, key: KeyObject): VerifierKey {
    return VerifierKey.raw(name, rawPublicKey(key, rawKeyLength));
  }

  static raw(name: string, bytes: Buffer): VerifierKey {
    return new VerifierKey(noteKey(name, ed25519Type, bytes));
  }

  /** @throws BadCheckpointError */
  static parse(text: string): VerifierKey {
    const key = parseNoteKey(text.trim());
    if (key?.type !== ed25519Type || key.bytes.length !== rawKeyLength) {
      throw new BadCheckpointError('Not a valid public key of a log');
    }
    return new VerifierKey(key);
  }

  /** `<name>+<key id, hex>+<base64 of 0x01 and the key>` (C2SP signed-note). */
  get text(): string {
    return formatNoteKey({ name: this.name, id: this.id, type: ed25519Type, bytes: this.bytes });
  }

  get publicKey(): KeyObject {
    return (this.#publicKey ??= ed25519Key(this.bytes));
  }

  /** Signed by this key, or by one that replaced it and is named in the note; others are ignored. @throws BadCheckpointError */
  open(note: string): SignedCheckpoint {
    const keys = keysIn(note, this);
    return new SignedCheckpoint(openBy(keys, note), keys);
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

/** The keys of a log, oldest first. Each was signed by the one before it and signed that, too. */
export class LogKeys {
  readonly #keys: readonly VerifierKey[];
  readonly #changes: readonly KeyChange[];

  private constructor(keys: readonly VerifierKey[], changes: readonly KeyChange[]) {
    this.#keys = keys;
    this.#changes = changes;
  }

  static of(first: VerifierKey): LogKeys {
    return new LogKeys([first], []);
  }

  /**
   * From the known one outwards: whoever forges others can't sign beside it, however many they are.
   *
   * @throws BadCheckpointError unless each change is signed by both keys
   */
  static around(known: VerifierKey, first: Buffer, changes: readonly KeyChange[]): LogKeys {
    const all = [first, ...changes.map(({ next }) => next)];
    const isTwice = new Set(all.map((bytes) => bytes.toString('latin1'))).size < all.length;
    if (isTwice || changes.some(({ size }, at) => size <= (changes[at - 1]?.size ?? -1))) {
      throw notByBoth();
    }
    const keys = all.map((bytes) => VerifierKey.raw(known.name, bytes));
    const place = all.findIndex((bytes) => bytes.equals(known.bytes));
    const distance = (at: number): number => Math.abs(at + 0.5 - place);
    for (const at of [...changes.keys()].sort((a, b) => distance(a) - distance(b))) {
      requireSigned(changes[at] as KeyChange, ...(keys.slice(at, at + 2) as TwoKeys));
    }
    return new LogKeys(keys, changes);
  }

  /** The keys that a checkpoint names; only the first if none of them signed it. */
  static named(
    { verifierKey }: Pick<LogIdentity, 'verifierKey'>,
    note: string | undefined,
  ): LogKeys {
    const first = VerifierKey.parse(verifierKey);
    return (note === undefined ? undefined : first.tryOpen(note)?.keys) ?? LogKeys.of(first);
  }

  get current(): VerifierKey {
    return this.#keys.at(-1) as VerifierKey;
  }

  get count(): number {
    return this.#keys.length;
  }

  has({ bytes }: Pick<VerifierKey, 'bytes'>): boolean {
    return this.#keys.some((key) => key.bytes.equals(bytes));
  }

  /** @throws BadCheckpointError unless the current key and a new one signed it */
  with(change: KeyChange): LogKeys {
    const old = this.current;
    const next = VerifierKey.raw(old.name, change.next);
    if (this.has(next) || change.size <= (this.#changes.at(-1)?.size ?? -1)) {
      throw notByBoth();
    }
    requireSigned(change, old, next);
    return new LogKeys([...this.#keys, next], [...this.#changes, change]);
  }

  /** The keys after this record. @throws BadCheckpointError if it is an invalid change of the key */
  after(entry: Buffer, seq: number, root: () => Buffer): LogKeys {
    const change = changeIn(entry, seq, this.current);
    if (change === undefined) {
      return this;
    }
    if (change === 'wrong' || !change.root.equals(root())) {
      throw new BadCheckpointError('A change of the signing key does not fit the log');
    }
    return this.with(change);
  }

  /** The key that seals a group: the old one for a group of the change alone. */
  sealing({ first, size }: { readonly first: number; readonly size: number }): VerifierKey {
    return this.#after(
      (change) => size > change.size && !(first === change.size && size === first + 1),
    );
  }

  /** The key that signs checkpoints of this size. */
  signing(size: number): VerifierKey {
    return this.#after((change) => size > change.size);
  }

  /** Opens a checkpoint, also an earlier one. @throws BadCheckpointError */
  open(note: string): SignedCheckpoint {
    const signer = this.signing(splitNote(note).checkpoint.size);
    if (signer === this.current) {
      const opened = signer.open(note);
      return opened.keys.count > this.count ? opened : new SignedCheckpoint(opened, this);
    }
    const count = this.#keys.indexOf(signer) + 1;
    const keys = new LogKeys(this.#keys.slice(0, count), this.#changes.slice(0, count - 1));
    return new SignedCheckpoint(openBy(keys, note), keys);
  }

  /** The line of a note that names them; empty for one key. */
  line(): string {
    const [first] = this.#keys as readonly [VerifierKey];
    return this.#changes.length === 0
      ? ''
      : signatureLine(first.name, keysId(first.name), packChanges(first.bytes, this.#changes));
  }

  #after(isPast: (change: KeyChange) => boolean): VerifierKey {
    return this.#keys[this.#changes.findLastIndex(isPast) + 1] as VerifierKey;
  }
}

type TwoKeys = [old: VerifierKey, next: VerifierKey];

/** @throws BadCheckpointError */
function requireSigned(change: KeyChange, ...[old, next]: TwoKeys): void {
  if (!isChangeValid(old.name, change, { old, next })) {
    throw notByBoth();
  }
}

function notByBoth(): BadCheckpointError {
  return new BadCheckpointError('A change of the signing key is not signed by both keys');
}

/** Prefix of a line that names keys: C2SP signed-note reserves 0xff and a longer name for other types. */
function keysId(name: string): Buffer {
  const text = Buffer.from(`${name}\n\u00ffcaregate audit keys v1`, 'latin1');
  return sha256(text).subarray(0, 4);
}

/** The keys that a note names, if this one is among them. */
function keysIn(note: string, key: VerifierKey): LogKeys {
  const line = signaturesIn(note, key.name, keysId(key.name))[0];
  const packed = line && unpackChanges(line);
  if (packed === undefined) {
    return LogKeys.of(key);
  }
  const { first, changes } = packed;
  if (![first, ...changes.map(({ next }) => next)].some((one) => one.equals(key.bytes))) {
    return LogKeys.of(key);
  }
  const text = `${key.name} ${line?.toString('base64') ?? ''}`;
  if (verified?.text !== text) {
    verified = { text, keys: LogKeys.around(key, first, changes) };
  }
  return verified.keys;
}

/** Caches the last note: the notes of a log name the same keys. */
let verified: { readonly text: string; readonly keys: LogKeys } | undefined;

/** Signed by the last of these keys. @throws BadCheckpointError */
function openBy(keys: LogKeys, note: string): Checkpoint {
  const key = keys.current;
  const { checkpoint, text } = splitNote(note);
  const signature = signaturesIn(note, key.name, key.id).find(
    ({ length }) => length === signatureLength,
  );
  if (signature === undefined) {
    throw new BadCheckpointError('The checkpoint is not signed by this key');
  }
  if (
    checkpoint.origin !== key.name ||
    !verify(null, Buffer.from(text), key.publicKey, signature)
  ) {
    throw new BadCheckpointError('The signature of the checkpoint is not valid');
  }
  return checkpoint;
}

/** Signs a checkpoint (C2SP tlog-checkpoint). @param keys of the log, the last of which signs */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject, keys?: LogKeys): string {
  const text = checkpointText(checkpoint);
  const { id } = VerifierKey.of(checkpoint.origin, key);
  const signature = sign(null, Buffer.from(text), key);
  return `${text}\n${signatureLine(checkpoint.origin, id, signature)}${keys?.line() ?? ''}`;
}

function signatureLine(name: string, id: Buffer, bytes: Buffer): string {
  return `— ${name} ${Buffer.concat([id, bytes]).toString('base64')}\n`;
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

/** Without the id. @throws BadCheckpointError */
function signaturesIn(note: string, name: string, id: Buffer): Buffer[] {
  return splitNote(note)
    .signatures.filter((line) => line.startsWith(`— ${name} `))
    .map((line) => signatureBytes(line.slice(name.length + 3)))
    .filter((bytes) => bytes.length > 4 && bytes.subarray(0, 4).equals(id))
    .map((bytes) => bytes.subarray(4));
}

/** Rejects non-canonical base64, which Node's decoder accepts. */
function signatureBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0);
}

function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}
