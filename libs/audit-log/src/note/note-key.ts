import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha256 } from '../tree/tree.ts';

export const ed25519Type = 1;
/** No Unicode space, no plus (C2SP signed-note). */
const keyName = /^[^\s+\p{Z}]+$/u;
// SPKI prefix of an Ed25519 public key (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function ed25519Key(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([spkiPrefix, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** A key that verifies signatures of notes (C2SP signed-note). */
export interface NoteKey {
  readonly name: string;
  /** First four bytes of SHA-256(name, 0x0A, type, key). */
  readonly id: Buffer;
  readonly type: number;
  readonly bytes: Buffer;
}

export function noteKey(name: string, type: number, bytes: Buffer): NoteKey {
  const hash = sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), bytes]));
  return { name, id: hash.subarray(0, 4), type, bytes };
}

/** `<name>+<key id, hex>+<base64 of the type and the key>`. */
export function formatNoteKey({ name, id, type, bytes }: NoteKey): string {
  return `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), bytes]).toString('base64')}`;
}

export function parseNoteKey(text: string): NoteKey | undefined {
  const [name = ''] = text.split('+', 1);
  const all = Buffer.from(text.slice(name.length + '+01234567+'.length), 'base64');
  const key = noteKey(name, all[0] ?? 0, all.subarray(1));
  return keyName.test(name) && formatNoteKey(key) === text ? key : undefined;
}

/** The last bytes of the SPKI form. */
export function rawPublicKey(key: KeyObject, length: number): Buffer {
  const publicKey = key.type === 'public' ? key : createPublicKey(key);
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-length);
}
