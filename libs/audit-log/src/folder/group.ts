import type { Seal } from '../note/seal.ts';
import { sha256Text, type HashText } from '../tree/tree.ts';

/** Bytes of segments and groups, as docs/audit-log.md has them. Numbers are big-endian. */

const mark = Buffer.from('CGRP');
const headLength = 20;
const sealLength = 112;
const saltLength = 16;
const shortestGroup = headLength + 4 + saltLength + 1 + sealLength;

/** A group longer than this was not written by us; a longer one is never read into memory. */
export const longestGroup = 256 * 2 ** 20;

/** What one write and one sync made durable. */
export interface Group {
  /** Number of its first record. */
  readonly first: number;
  /** 16 bytes of salt and the text, each; parts of the bytes that it was read from. */
  readonly entries: readonly Buffer[];
  readonly seal: Seal;
}

/** First line of a segment. */
export function segmentHeader(logId: string, first: number): Buffer {
  return Buffer.from(`caregate audit records 1 ${logId} ${first}\n`);
}

/** Entries one behind the other as a group has them, each after its length. */
export interface LaidOutEntries {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Bytes before a text in laid out entries: its length, and room for its salt. */
export const beforeText = 4 + saltLength;

/** Writes the length of an entry whose text has this many bytes and stands `beforeText` behind `at`. */
export function writeEntryLength(bytes: Buffer, at: number, textLength: number): void {
  bytes.writeUInt32BE(saltLength + textLength, at);
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

/** Months since year 0, UTC. */
export function monthOf(us: number): number {
  const date = new Date(us / 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** A group whose seal is missing, of entries with their salts, and the hashes of its leaves. */
export function layOutGroup(
  first: number,
  entries: readonly (readonly Uint8Array[])[],
): { readonly bytes: Buffer; readonly leaves: readonly Buffer[] } {
  const parts = entries.map((entry) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(entry.reduce((sum, part) => sum + part.length, 0));
    return Buffer.concat([length, ...entry]);
  });
  const bytes = joinGroup(
    first,
    parts.map((part) => ({ count: 1, bytes: part })),
  );
  return { bytes, leaves: hashEntries(bytes).map((leaf) => Buffer.from(leaf, 'latin1')) };
}

/** A group whose seal is missing. */
export function joinGroup(first: number, parts: readonly LaidOutEntries[]): Buffer {
  const length = parts.reduce((sum, { bytes }) => sum + bytes.length, headLength + sealLength);
  const group = Buffer.allocUnsafe(length);
  group.set(mark, 0);
  group.writeUInt32BE(length, 4);
  group.writeBigUInt64BE(BigInt(first), 8);
  group.writeUInt32BE(
    parts.reduce((sum, { count }) => sum + count, 0),
    16,
  );
  let at = headLength;
  for (const { bytes } of parts) {
    group.set(bytes, at);
    at += bytes.length;
  }
  return group;
}

/**
 * The hashes of the leaves of a group whose seal is missing, as texts of latin1.
 *
 * @param salts 16 bytes for each entry, which are written into their room; without them it has its salts
 */
export function hashEntries(group: Buffer, salts?: Uint8Array): HashText[] {
  const leaves: HashText[] = [];
  const end = group.length - sealLength;
  for (let at = headLength; at < end;) {
    const start = at + 4;
    const next = start + group.readUInt32BE(at);
    if (salts !== undefined) {
      const from = saltLength * leaves.length;
      for (let n = 0; n < saltLength; n += 1) {
        group[start + n] = salts[from + n] as number;
      }
    }
    // A leaf is hashed with a zero before the entry: it stands where the length ends, and nothing is copied.
    const kept = group[start - 1] as number;
    group[start - 1] = 0;
    leaves.push(sha256Text(group.subarray(start - 1, next)));
    group[start - 1] = kept;
    at = next;
  }
  return leaves;
}

/** Writes the seal at the end of a group. */
export function writeSeal(group: Buffer, seal: Seal): void {
  const at = group.length - sealLength;
  group.writeBigUInt64BE(BigInt(seal.size), at);
  group.set(seal.root, at + 8);
  group.writeBigUInt64BE(BigInt(seal.checkpointSize), at + 40);
  group.set(seal.signature, at + 48);
}

/** Number of bytes of the group that begins here, as it says; undefined if none begins here. */
export function groupLength(head: Buffer): number | undefined {
  if (head.length < headLength || !head.subarray(0, 4).equals(mark)) {
    return undefined;
  }
  const length = head.readUInt32BE(4);
  return length >= shortestGroup && length <= longestGroup ? length : undefined;
}

/** Number of bytes that `groupLength` and `groupSpan` need. */
export const groupHeadLength = headLength;

/** First record of the group that begins here, and the one after its last. */
export function groupSpan(head: Buffer): { readonly first: number; readonly end: number } {
  const first = Number(head.readBigUInt64BE(8));
  return { first, end: first + head.readUInt32BE(16) };
}

/** Reads a group that takes up all the bytes; undefined if they are not exactly one. Its seal is not checked. */
export function parseGroup(bytes: Buffer): Group | undefined {
  if (groupLength(bytes) !== bytes.length) {
    return undefined;
  }
  const { first, end } = groupSpan(bytes);
  const entries: Buffer[] = [];
  const sealAt = bytes.length - sealLength;
  let at = headLength;
  while (at + 4 <= sealAt && first + entries.length < end) {
    const entryEnd = at + 4 + bytes.readUInt32BE(at);
    if (entryEnd > sealAt || entryEnd <= at + 4 + saltLength) {
      return undefined;
    }
    entries.push(bytes.subarray(at + 4, entryEnd));
    at = entryEnd;
  }
  const seal: Seal = {
    first,
    size: Number(bytes.readBigUInt64BE(sealAt)),
    root: bytes.subarray(sealAt + 8, sealAt + 40),
    checkpointSize: Number(bytes.readBigUInt64BE(sealAt + 40)),
    signature: bytes.subarray(sealAt + 48),
  };
  const isWhole = at === sealAt && first + entries.length === end && entries.length > 0;
  return isWhole && seal.size === end && Number.isSafeInteger(end) && seal.checkpointSize <= first
    ? { first, entries, seal }
    : undefined;
}

/** These bytes without the zeros at their end: room that was reserved, and nothing. */
export function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) {
    end -= 1;
  }
  return bytes.subarray(0, end);
}

/** Where a group may begin behind the start of these bytes: each place of its mark. */
export function* groupMarks(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(mark, 1); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    yield at;
  }
}
