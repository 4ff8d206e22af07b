import { saltLength } from '../entry/record-text.ts';
import type { Seal } from '../note/seal.ts';
import { sha256Text, type HashText } from '../tree/tree.ts';

/** Bytes of segments and groups, see docs/audit-log.md. Numbers are big-endian. */

const mark = Buffer.from('CGRP');
const headLength = 20;
const sealLength = 112;
const shortestGroup = headLength + 4 + saltLength + 1 + sealLength;

/** We never write a longer group, so none is read into memory. */
export const longestGroup = 256 * 2 ** 20;

/** The records of one write and one sync. */
export interface Group {
  readonly first: number;
  /** 16 bytes of salt and the text, each; slices of the bytes they were read from. */
  readonly entries: readonly Buffer[];
  readonly seal: Seal;
}

export function segmentHeader(logId: string, first: number): Buffer {
  return Buffer.from(`caregate audit records 1 ${logId} ${first}\n`);
}

/** Encoded entries, each after its length. */
export interface LaidOutEntries {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Length field and salt. */
export const beforeText = 4 + saltLength;

export function writeEntryLength(bytes: Buffer, at: number, textLength: number): void {
  bytes.writeUInt32BE(saltLength + textLength, at);
}

/** Encoded records, without salts. */
export interface LaidOutRecords extends LaidOutEntries {
  readonly first: number;
}

/** A group ends here: a reader loads a group into memory. */
export const mostBytes: number = 32 * 2 ** 20;

/** A group without its seal. */
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

/** Writes `salts`, 16 bytes each, into the entries first. */
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
    // The zero of a leaf goes into the last byte of the length, so nothing is copied.
    const lastByte = group[start - 1] as number;
    group[start - 1] = 0;
    leaves.push(sha256Text(group.subarray(start - 1, next)));
    group[start - 1] = lastByte;
    at = next;
  }
  return leaves;
}

export function writeSeal(group: Buffer, seal: Seal): void {
  const at = group.length - sealLength;
  group.writeBigUInt64BE(BigInt(seal.size), at);
  group.set(seal.root, at + 8);
  group.writeBigUInt64BE(BigInt(seal.checkpointSize), at + 40);
  group.set(seal.signature, at + 48);
}

export function groupLength(head: Buffer): number | undefined {
  if (head.length < headLength || !head.subarray(0, 4).equals(mark)) {
    return undefined;
  }
  const length = head.readUInt32BE(4);
  return length >= shortestGroup && length <= longestGroup ? length : undefined;
}

export const groupHeadLength = headLength;

export function groupSpan(head: Buffer): { readonly first: number; readonly end: number } {
  const first = Number(head.readBigUInt64BE(8));
  return { first, end: first + head.readUInt32BE(16) };
}

/** Parses exactly one group, without checking its seal; undefined if the bytes are anything else. */
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

/** Without the zeros at the end, which are reserved room. */
export function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) {
    end -= 1;
  }
  return bytes.subarray(0, end);
}

/** Positions behind the start where a group may begin. */
export function* groupMarks(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(mark, 1); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    yield at;
  }
}
