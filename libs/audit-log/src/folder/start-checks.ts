import type { Disk, DiskFile } from '../disk/disk.ts';
import { BadCheckpointError, MissingNodeError } from '../errors.ts';
import type { Checkpoint, LogKeys, VerifierKey } from '../note/checkpoint.ts';
import { isSealValid } from '../note/seal.ts';
import type { GrowingTree } from '../tree/growing-tree.ts';
import { frontierAt, leafHash, type Frontier, type NodeReader } from '../tree/tree.ts';
import type { LogPaths } from './layout.ts';
import {
  groupLength,
  groupMarks,
  groupSpan,
  parseGroup,
  segmentHeader,
  withoutZeros,
  type Group,
} from './group.ts';
import { refused } from './log-refused.ts';
import { groupsOf, listSegments, segmentOf, type Segment } from './segments.ts';

/** Contains the last group of most segments. */
const usualEnd = 2 ** 16;
const CHUNK = 2 ** 20;

export interface SignedCheckpoint extends Checkpoint {
  readonly note: string;
  readonly keys: LogKeys;
}

export function readCheckpoint(disk: Disk, paths: LogPaths, key: VerifierKey): SignedCheckpoint {
  const note = disk.read(paths.checkpoint)?.toString();
  if (note === undefined) {
    throw refused('checkpoint_missing');
  }
  try {
    const { origin, size, root, keys } = key.open(note);
    return { origin, size, root, keys, note };
  } catch (error) {
    const what = error instanceof Error ? error.message : 'it can not be read';
    throw refused('checkpoint_wrong', what);
  }
}

export interface StoredLog {
  readonly disk: Disk;
  readonly records: string;
  readonly logId: string;
  readonly origin: string;
  readonly checkpoint: SignedCheckpoint;
}

export interface LogEnd {
  /** Includes a key that the last record names: it signs the next checkpoint. */
  readonly keys: LogKeys;
  readonly segment: Segment | undefined;
  /** Proven bytes of it; 0 if its header is not whole. */
  readonly bytes: number;
  readonly hasGroups: boolean;
  readonly torn: Buffer | undefined;
}

/** Grows `tree` from the checkpoint to the end. @throws LogRefusedError unless that is a seal, or one torn last group */
export function checkEnd(log: StoredLog, tree: GrowingTree): LogEnd {
  const segments = listSegments(log.disk, log.records);
  requireNoneMissing(log.disk, segments);
  const start = segmentOf(segments, tree.size);
  if (start === undefined && segments.length > 0) {
    throw refused('altered', `record ${tree.size} is missing`);
  }
  const walked = start === undefined ? [] : segments.slice(segments.indexOf(start));
  let end: LogEnd = {
    keys: log.checkpoint.keys,
    segment: undefined,
    bytes: 0,
    hasGroups: false,
    torn: undefined,
  };
  walked.forEach((segment, at) => {
    end = new SegmentCheck(log, tree, end.keys).check(segment, at === walked.length - 1);
  });
  if (start === undefined && tree.size > 0) {
    throw refused('checkpoint_larger', `it has 0 of ${tree.size} signed records`);
  }
  return end;
}

function requireNoneMissing(disk: Disk, segments: readonly Segment[]): void {
  let next = 0;
  for (const [at, segment] of segments.entries()) {
    if (segment.first !== next) {
      throw refused('altered', `record ${Math.min(next, segment.first)} is missing`);
    }
    next = at === segments.length - 1 ? next : lastEnd(disk, segment);
  }
}

/** The record after the last group of a segment that is not the last; NaN if no group ends there. */
function lastEnd(disk: Disk, { path }: Segment): number {
  const file = disk.open(path);
  try {
    const size = file.size();
    for (let length = usualEnd; ; length *= 16) {
      const bytes = file.read(Math.max(0, size - length), length);
      const at = [...groupMarks(bytes)].find(
        (mark) => groupLength(bytes.subarray(mark)) === bytes.length - mark,
      );
      if (at !== undefined) {
        return groupSpan(bytes.subarray(at)).end;
      }
      if (length >= size) {
        return Number.NaN;
      }
    }
  } finally {
    file.close();
  }
}

/** The tree under the checkpoint. @throws LogRefusedError if the stored tree is another one */
export function signedFrontier(checkpoint: SignedCheckpoint, nodes: NodeReader): Frontier {
  let frontier;
  try {
    frontier = frontierAt(checkpoint.size, nodes);
  } catch (error) {
    if (error instanceof MissingNodeError) {
      throw refused('altered', `${error.message}, which the checkpoint covers`);
    }
    throw error;
  }
  if (!frontier.root().equals(checkpoint.root)) {
    throw refused(
      'altered',
      `its first ${checkpoint.size} records do not match their signed checkpoint`,
    );
  }
  return frontier;
}

class SegmentCheck {
  readonly #log: StoredLog;
  readonly #tree: GrowingTree;
  #keys: LogKeys;
  #reached = 0;

  constructor(log: StoredLog, tree: GrowingTree, keys: LogKeys) {
    this.#log = log;
    this.#tree = tree;
    this.#keys = keys;
  }

  check(segment: Segment, isLast: boolean): LogEnd {
    const file = this.#log.disk.open(segment.path);
    try {
      return this.#check(file, segment, isLast);
    } finally {
      file.close();
    }
  }

  #check(file: DiskFile, segment: Segment, isLast: boolean): LogEnd {
    const size = file.size();
    const header = segmentHeader(this.#log.logId, segment.first);
    const hasHeader = file.read(0, header.length).equals(header);
    if (segment.first > this.#tree.size) {
      throw refused('altered', `record ${this.#tree.size} is missing`);
    }
    // A crash while a segment is created leaves at most a part of its header.
    const isBegun = isLast && size <= header.length;
    if (!hasHeader && !(isBegun && segment.first === this.#tree.size)) {
      throw refused('altered', `the file of record ${segment.first} is damaged`);
    }
    this.#reached = segment.first;
    const end = hasHeader ? this.#checkGroups(file, segment, header.length) : 0;
    const behind = hasHeader ? file.read(end, size - end) : Buffer.alloc(0);
    // Zeros at the end of the last segment are reserved room.
    const rest = isLast ? withoutZeros(behind) : behind;
    if (this.#reached < this.#tree.size) {
      const has = `it has ${this.#reached} of ${this.#tree.size} signed records`;
      throw refused(!hasHeader || rest.length > 0 ? 'altered' : 'checkpoint_larger', has);
    }
    if (rest.length > 0) {
      this.#requireTorn(rest, behind, isLast);
    }
    return {
      keys: this.#keys,
      segment,
      bytes: end,
      hasGroups: this.#reached > segment.first,
      torn: rest.length > 0 ? rest : undefined,
    };
  }

  #checkGroups(file: DiskFile, segment: Segment, start: number): number {
    let end = start;
    // Over and over the same: what a thread has read stays in its memory until it has much to do.
    const into = Buffer.allocUnsafe(CHUNK);
    for (const { at, bytes } of groupsOf(file, segment, start, CHUNK, into)) {
      const group = parseGroup(bytes);
      if (group?.first !== this.#reached) {
        return at;
      }
      const reached = this.#reached + group.entries.length;
      if (reached > this.#log.checkpoint.size && !this.#extend(group)) {
        return at;
      }
      this.#reached = reached;
      end = at + bytes.length;
    }
    return end;
  }

  #extend({ first, entries, seal }: Group): boolean {
    const { checkpoint, origin } = this.#log;
    if (first !== this.#tree.size) {
      throw refused('checkpoint_wrong', 'it does not end with a group of records');
    }
    const leaves = entries.map((entry) => leafHash(entry));
    const grown = this.#tree.copyTree();
    let keys = this.#keys;
    for (const [at, leaf] of leaves.entries()) {
      keys = keysAfter(keys, entries[at] as Buffer, grown);
      grown.append(leaf);
    }
    if (!grown.root().equals(seal.root) || !isSealValid(origin, seal, keys.sealing(seal))) {
      return false;
    }
    this.#keys = keys;
    if (seal.checkpointSize > checkpoint.size) {
      throw refused(
        'checkpoint_smaller',
        `it covers ${checkpoint.size} records, and one of ${seal.checkpointSize} was signed`,
      );
    }
    leaves.forEach((leaf) => {
      this.#tree.append(leaf.toString('latin1'));
    });
    return true;
  }

  /** Allows a part of a group, or one with a wrong seal; zeros at the end of `behind` may belong to a signature. */
  #requireTorn(rest: Buffer, behind: Buffer, isLast: boolean): void {
    const { size } = this.#tree;
    const length = groupLength(rest);
    // A lost sector may include the length field.
    const isMore =
      length !== undefined &&
      length < rest.length &&
      parseGroup(rest.subarray(0, length)) !== undefined;
    if (!isLast || isMore || hasGroup(behind)) {
      throw refused('unsealed_end', `after record ${size - 1}`);
    }
  }
}

/** @throws LogRefusedError if the record changes the key and is not signed by both */
function keysAfter(keys: LogKeys, entry: Buffer, before: Frontier): LogKeys {
  try {
    return keys.after(entry, before.size, () => before.root());
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      throw refused('altered', `record ${before.size}: ${error.message}`);
    }
    throw error;
  }
}

/** No text has the first byte of a group's length behind its mark: JSON escapes control characters. */
function hasGroup(bytes: Buffer): boolean {
  for (const at of groupMarks(bytes)) {
    const length = groupLength(bytes.subarray(at));
    if (length !== undefined && length <= bytes.length - at) {
      return true;
    }
  }
  return false;
}
