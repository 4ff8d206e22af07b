import { join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { groupHeadLength, groupLength, groupSpan } from './group.ts';

export interface Segment {
  readonly first: number;
  readonly path: string;
}

export interface FoundGroup {
  readonly segment: Segment;
  readonly at: number;
  readonly first: number;
  readonly end: number;
  readonly bytes: Buffer;
}

const digits = 15;
const usualChunk = 2 ** 20;

export function segmentPath(records: string, first: number): string {
  return join(records, String(first).padStart(digits, '0'));
}

export function listSegments(disk: Disk, records: string): Segment[] {
  return disk
    .list(records)
    .filter((name) => /^\d{15}$/u.test(name))
    .map((name) => ({ first: Number(name), path: join(records, name) }));
}

/** Bytes of these segments, with reserved room. */
export function bytesOf(disk: Disk, segments: readonly Segment[]): number {
  let bytes = 0;
  for (const { path } of segments) {
    const file = disk.open(path);
    try {
      bytes += file.size();
    } finally {
      file.close();
    }
  }
  return bytes;
}

export function segmentOf(segments: readonly Segment[], seq: number): Segment | undefined {
  return segments.findLast(({ first }) => first <= seq);
}

/** Whole groups from an offset on, unchecked; ends where none begins. @param into then each is there until the next */
export function* groupsOf(
  file: DiskFile,
  segment: Segment,
  from: number,
  chunk = usualChunk,
  into?: Buffer,
): Generator<FoundGroup, void> {
  let [start, bytes] = [from, file.read(from, chunk, into)];
  let at = from;
  for (;;) {
    let head = bytes.subarray(at - start);
    if (head.length < groupHeadLength) {
      [start, bytes] = [at, file.read(at, chunk, into)];
      head = bytes;
    }
    if (head.length < (groupLength(head) ?? 0)) {
      // The chunk ends within this group.
      [start, bytes] = [at, file.read(at, groupLength(head) ?? 0, into)];
      head = bytes;
    }
    const whole = groupLength(head);
    if (whole === undefined || head.length < whole) {
      return;
    }
    yield { segment, at, ...groupSpan(head), bytes: head.subarray(0, whole) };
    at += whole;
  }
}
