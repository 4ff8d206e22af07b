import { beforeText, writeEntryLength, type LaidOutRecords } from './group.ts';

/** UTF-8 bytes of a UTF-16 code unit, at most. */
const mostBytesOfCharacter = 3;

let draft = Buffer.alloc(64 * 1024);

export interface MovedRecords extends LaidOutRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Encodes records. Done by the caller, so that the writing thread does little besides syncing. */
export function layOutTexts(first: number, texts: readonly string[]): MovedRecords {
  let at = 0;
  for (const text of texts) {
    makeRoom(at + beforeText + mostBytesOfCharacter * text.length, at);
    const length = draft.write(text, at + beforeText);
    writeEntryLength(draft, at, length);
    at += beforeText + length;
  }
  // Not from the shared pool: the buffer is transferred.
  const bytes = new Uint8Array(at);
  bytes.set(draft.subarray(0, at));
  return { first, count: texts.length, bytes };
}

function makeRoom(length: number, used: number): void {
  if (length > draft.length) {
    const larger = Buffer.alloc(2 * length);
    larger.set(draft.subarray(0, used));
    draft = larger;
  }
}
