import { textAroundSeq, type Origin } from '../entry/body.ts';
import type { EncodedRecord } from '../folder/log-writer.ts';
import type { NewRecord } from './log-backend.ts';

/** Before each record: when, as a double, and the lengths of its text before and after the number. */
const headLength = 16;

/**
 * Records as one block of bytes, to hand over to another thread. Their texts are made here, so that the thread that syncs
 * does little else.
 */
export function encodeRecords(
  records: readonly NewRecord[],
  place: Omit<Origin, 'recordedAtUs'>,
): ArrayBuffer {
  let length = 0;
  const texts = records.map(({ entry, recordedAtUs }) => {
    const { head, tail } = textAroundSeq(entry, { ...place, recordedAtUs });
    const [headBytes, tailBytes] = [Buffer.byteLength(head), Buffer.byteLength(tail)];
    length += headLength + headBytes + tailBytes;
    return { head, tail, headBytes, tailBytes, recordedAtUs };
  });
  // Not from the pool, which is shared: the memory moves to the other thread.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { head, tail, headBytes, tailBytes, recordedAtUs } of texts) {
    bytes.writeDoubleBE(recordedAtUs, at);
    bytes.writeUInt32BE(headBytes, at + 8);
    bytes.writeUInt32BE(tailBytes, at + 12);
    bytes.write(head, at + headLength);
    bytes.write(tail, at + headLength + headBytes);
    at += headLength + headBytes + tailBytes;
  }
  return bytes.buffer;
}

/** The records of a block; their bytes are parts of it. */
export function decodeRecords(block: ArrayBuffer): EncodedRecord[] {
  const bytes = Buffer.from(block);
  const records: EncodedRecord[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + headLength;
    const middle = start + bytes.readUInt32BE(at + 8);
    const end = middle + bytes.readUInt32BE(at + 12);
    records.push({
      head: bytes.subarray(start, middle),
      tail: bytes.subarray(middle, end),
      recordedAtUs: bytes.readDoubleBE(at),
    });
    at = end;
  }
  return records;
}
