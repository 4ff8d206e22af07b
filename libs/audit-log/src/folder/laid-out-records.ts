import { beforeText, writeEntryLength, type LaidOutEntries } from './group.ts';

/** A record as the log takes it: the bytes of its text before and after its number. */
export interface EncodedRecord {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly recordedAtUs: number;
}

/** Records of one month as they stand in a group, with their numbers, but for their salts. */
export interface LaidOutRecords extends LaidOutEntries {
  /** Number of the first. */
  readonly first: number;
  /** Months since year 0, UTC. */
  readonly month: number;
}

/** Records with this many bytes are a group: a longer one would be read into memory whole. */
export const mostBytes: number = 32 * 2 ** 20;

/** Lays records out, each as it would be alone: the writer joins them. */
export function layOutRecords(first: number, records: readonly EncodedRecord[]): LaidOutRecords[] {
  return records.map(({ head, tail, recordedAtUs }, at) => {
    const number = Buffer.from(String(first + at));
    const length = head.length + number.length + tail.length;
    const bytes = Buffer.alloc(beforeText + length);
    writeEntryLength(bytes, 0, length);
    bytes.set(head, beforeText);
    bytes.set(number, beforeText + head.length);
    bytes.set(tail, beforeText + head.length + number.length);
    return { first: first + at, count: 1, month: monthOf(recordedAtUs), bytes };
  });
}

/** Months since year 0, UTC. */
export function monthOf(us: number): number {
  const date = new Date(us / 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
