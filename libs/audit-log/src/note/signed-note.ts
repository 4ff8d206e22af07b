import { BadCheckpointError } from '../errors.ts';

/** A signature line of a note; name and id together name the key. */
export interface NoteSignature {
  readonly name: string;
  readonly id: Buffer;
  /** Without the key id. */
  readonly bytes: Buffer;
}

export interface SignedNote {
  /** The signed text with its final newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** C2SP signed-note asks for at least 16. */
const mostSignatures = 64;
/** No Unicode space, no plus (C2SP signed-note). */
const keyName = /^[^\s+\p{Z}]+$/u;

/** Does not verify it (C2SP signed-note). @throws BadCheckpointError */
export function parseNote(note: string): SignedNote {
  if (/[^\n -\u{10ffff}]|\p{Cs}/u.test(note)) {
    throw new BadCheckpointError('Not a signed note: it contains control characters');
  }
  const end = note.lastIndexOf('\n\n') + 1;
  if (end <= 0 || !note.endsWith('\n')) {
    throw new BadCheckpointError('Not a signed note: no empty line before the signatures');
  }
  return { text: note.slice(0, end), signatures: parseSignatures(note.slice(end + 1)) };
}

/** Each line ends with a newline. @throws BadCheckpointError */
export function parseSignatures(lines: string): readonly NoteSignature[] {
  const each = lines.split('\n');
  if (each.pop() !== '' || each.length === 0 || each.length > mostSignatures) {
    throw new BadCheckpointError(
      `Not a signed note: expected 1 to ${String(mostSignatures)} signature lines`,
    );
  }
  return each.map(parseSignature);
}

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${formatSignatures(signatures)}`;
}

export function formatSignatures(signatures: readonly NoteSignature[]): string {
  return signatures
    .map(({ name, id, bytes }) => `— ${name} ${Buffer.concat([id, bytes]).toString('base64')}\n`)
    .join('');
}

/** Adds signatures, replacing those of the same key. */
export function withSignatures(note: SignedNote, added: readonly NoteSignature[]): SignedNote {
  const kept = note.signatures.filter((old) => !added.some((one) => isSameKey(one, old)));
  return { text: note.text, signatures: [...kept, ...added] };
}

export function isSameKey(
  one: Pick<NoteSignature, 'name' | 'id'>,
  other: Pick<NoteSignature, 'name' | 'id'>,
): boolean {
  return one.name === other.name && one.id.equals(other.id);
}

export function isKeyName(name: string): boolean {
  return keyName.test(name);
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
  const all = Buffer.from(encoded, 'base64');
  // Non-canonical base64 would allow two lines for one signature.
  if (!isKeyName(name) || all.length < 5 || all.toString('base64') !== encoded) {
    throw new BadCheckpointError('Not a signed note: a signature line is not valid');
  }
  return { name, id: all.subarray(0, 4), bytes: all.subarray(4) };
}
