import { textAroundSeq, type NewRecord, type Origin } from '../entry/body.ts';
import { beforeText, monthOf, writeEntryLength, type LaidOutRecords } from './group.ts';

/** No character of a text takes more bytes of UTF-8. */
const mostBytesOfCharacter = 3;

let draft = Buffer.alloc(64 * 1024);

/** Records as they go to the thread: their bytes in memory of their own, which moves there. */
export interface MovedRecords extends LaidOutRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Records as they stand in the log, by month, to hand over to another thread. Their texts are made here, so that the thread
 * that syncs does little else.
 */
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
      // Not from the pool, which is shared: the memory moves to the other thread.
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

/** Room for so many bytes, of which the first are kept. */
function makeRoom(length: number, kept: number): void {
  if (length > draft.length) {
    const larger = Buffer.alloc(2 * length);
    larger.set(draft.subarray(0, kept));
    draft = larger;
  }
}
