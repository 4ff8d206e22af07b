import { sign, verify, type KeyObject } from 'node:crypto';
import { ownRecord, ownText, ROTATE_KEY } from '../entry/record-text.ts';
import { ed25519Type, formatNoteKey, noteKey, parseNoteKey } from './note-key.ts';

/** The key of a log signs its next one, which signs too: nobody can name a key of somebody else. */
export interface KeyChange {
  /** Records before it, and their root: the signatures fit no other log. */
  readonly size: number;
  readonly root: Buffer;
  /** 32 bytes of Ed25519. */
  readonly next: Buffer;
  readonly byOld: Buffer;
  readonly byNext: Buffer;
}

/** No other text signed by the key of a log begins with it. */
const label = 'caregate audit key v1';

function changeText(
  origin: string,
  old: Buffer,
  { size, root, next }: Pick<KeyChange, 'size' | 'root' | 'next'>,
): Buffer {
  const [from, to] = [vkey(origin, old), vkey(origin, next)];
  return Buffer.from(`${label}\n${origin}\n${size}\n${root.toString('base64')}\n${from}\n${to}\n`);
}

function vkey(origin: string, bytes: Buffer): string {
  return formatNoteKey(noteKey(origin, ed25519Type, bytes));
}

interface Signer {
  readonly key: KeyObject;
  /** Its public key. */
  readonly bytes: Buffer;
}

export function signChange(
  origin: string,
  { size, root }: Pick<KeyChange, 'size' | 'root'>,
  { old, next }: { readonly old: Signer; readonly next: Signer },
): KeyChange {
  const change = { size, root, next: next.bytes };
  const text = changeText(origin, old.bytes, change);
  return { ...change, byOld: sign(null, text, old.key), byNext: sign(null, text, next.key) };
}

interface Verifier {
  readonly publicKey: KeyObject;
  readonly bytes: Buffer;
}

export function isChangeValid(
  origin: string,
  change: KeyChange,
  { old, next }: { readonly old: Verifier; readonly next: Pick<Verifier, 'publicKey'> },
): boolean {
  const text = changeText(origin, old.bytes, change);
  return (
    verify(null, text, old.publicKey, change.byOld) &&
    verify(null, text, next.publicKey, change.byNext)
  );
}

/** The record of a change. */
export function recordOfChange(
  origin: string,
  old: Buffer,
  { change, actorId }: { readonly change: KeyChange; readonly actorId: string },
): string {
  const { root, next, byOld, byNext } = change;
  const details = {
    root: root.toString('base64'),
    old_public_key: vkey(origin, old),
    public_key: vkey(origin, next),
    signed_by_old: byOld.toString('base64'),
    signed_by_new: byNext.toString('base64'),
  };
  return ownText({ operation: ROTATE_KEY, actor_id: actorId, details });
}

/** Parses a record without verifying it; undefined for other records, `wrong` for a malformed change. */
export function changeIn(
  entry: Buffer,
  seq: number,
  old: { readonly name: string; readonly text: string },
): KeyChange | 'wrong' | undefined {
  const record = ownRecord(entry);
  if (record?.operation !== ROTATE_KEY) {
    return undefined;
  }
  const {
    root,
    old_public_key: from,
    public_key: to,
    ...signed
  } = Object(record.details) as typeof record.details;
  const next = parseNoteKey(String(to));
  const [treeRoot, byOld, byNext] = [root, signed['signed_by_old'], signed['signed_by_new']].map(
    (text) => Buffer.from(String(text), 'base64'),
  ) as [Buffer, Buffer, Buffer];
  const isWhole =
    from === old.text &&
    next?.name === old.name &&
    next.type === ed25519Type &&
    [treeRoot, next.bytes, byOld, byNext].map(({ length }) => length).join() === '32,32,64,64';
  return isWhole ? { size: seq, root: treeRoot, next: next.bytes, byOld, byNext } : 'wrong';
}

const packedLength = 8 + 32 + 32 + 64 + 64;

/** The first key of a log and its changes, for a signature line. */
export function packChanges(first: Buffer, changes: readonly KeyChange[]): Buffer {
  const packed = changes.map(({ size, root, next, byOld, byNext }) => {
    const records = Buffer.alloc(8);
    records.writeBigUInt64BE(BigInt(size));
    return Buffer.concat([records, root, next, byOld, byNext]);
  });
  return Buffer.concat([first, ...packed]);
}

/** Verifies nothing; undefined for another form. */
export function unpackChanges(
  bytes: Buffer,
): { readonly first: Buffer; readonly changes: readonly KeyChange[] } | undefined {
  const count = (bytes.length - 32) / packedLength;
  if (!Number.isInteger(count) || count < 1) {
    return undefined;
  }
  const changes = Array.from({ length: count }, (_, which) => {
    const at = 32 + which * packedLength;
    const part = (from: number, to: number): Buffer => bytes.subarray(at + from, at + to);
    return {
      size: Number(bytes.readBigUInt64BE(at)),
      root: part(8, 40),
      next: part(40, 72),
      byOld: part(72, 136),
      byNext: part(136, 200),
    };
  });
  return { first: bytes.subarray(0, 32), changes };
}
