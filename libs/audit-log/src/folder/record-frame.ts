import { textAroundSeq, type NewRecord, type Origin } from '../entry/body.ts';
import { beforeText, monthOf, writeEntryLength, type LaidOutRecords } from './group.ts';

/** UTF-8 bytes of a UTF-16 code unit, at most. */
const mostBytesOfCharacter = 3;

let draft = Buffer.alloc(64 * 1024);

/** Records whose bytes can be transferred to a thread. */
export interface MovedRecords extends LaidOutRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Encodes records, by month. Done by the caller, so that the writing thread does little besides syncing. */
export function layOutEntries(
  first: number,
  records: readonly NewRecord[],
  place: Omit<Origin, 'recordedAtUs'>,
): MovedRecords[] {
  const parts: MovedRecords[] = [];
  let began = 0;
  let [at, month] = [0, 0];
  const end = (count: number): void => {
    if (count > began) {
      // Not from the shared pool: the buffer is transferred.
      const bytes = new Uint8Array(at);
      bytes.set(draft.subarray(0, at));
      parts.push({ first: first + began, count: count - began, month, bytes });
    }
    [began, at] = [count, 0];
  };
  for (const [index, { entry, recordedAtUs }] of records.entries()) {
    const itsMonth = monthOf(recordedAtUs);
    if (itsMonth !== month) {
      end(index);
      month = itsMonth;
    }
    const { head, tail } = textAroundSeq(entry, { ...place, recordedAtUs });
    const text = `${head}${first + index}${tail}`;
    makeRoom(at + beforeText + mostBytesOfCharacter * text.length, at);
    const length = draft.write(text, at + beforeText);
    writeEntryLength(draft, at, length);
    at += beforeText + length;
  }
  end(records.length);
  return parts;
}

/** Keeps the first `used` bytes. */
function makeRoom(length: number, used: number): void {
  if (length > draft.length) {
    const larger = Buffer.alloc(2 * length);
    larger.set(draft.subarray(0, used));
    draft = larger;
  }
}
