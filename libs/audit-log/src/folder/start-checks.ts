import type { KeyObject } from 'node:crypto';
import type { Disk } from '../disk/disk.ts';
import { MissingNodeError } from '../errors.ts';
import { isSealValid } from '../note/seal.ts';
import type { TreeTiles } from '../tree/tree-tiles.ts';
import { frontierAt, leafHash, type Frontier, type NodeReader } from '../tree/tree.ts';
import type { SignedCheckpoint } from './checkpoint-file.ts';
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
import { listSegments, segmentOf, type Segment } from './segments.ts';

/** Bytes that have the last group of most segments. */
const usualEnd = 2 ** 16;

/** What the checks of a start read. */
export interface StoredLog {
  readonly disk: Disk;
  readonly records: string;
  readonly logId: string;
  readonly origin: string;
  readonly publicKey: KeyObject;
  readonly checkpoint: SignedCheckpoint;
}

/** The proven end of a log. */
export interface LogEnd {
  /** The segment to go on in; undefined if there is none yet. */
  readonly segment: Segment | undefined;
  /** Number of bytes of it that are proven; 0 if even its header is not whole. */
  readonly bytes: number;
  /** The last record of that segment; undefined if it has none. */
  readonly lastEntry: Buffer | undefined;
  /** What is behind them: one torn last group. */
  readonly torn: Buffer | undefined;
}

/**
 * Checks a log from its newest checkpoint on: every record is hashed, every seal verified.
 *
 * @param tree that of the checkpoint; it grows to the end of the log
 * @throws LogRefusedError if it does not end in a seal, but for one torn last group
 */
export function checkEnd(log: StoredLog, tree: TreeTiles): LogEnd {
  const segments = listSegments(log.disk, log.records);
  requireNoneMissing(log.disk, segments);
  const start = segmentOf(segments, tree.size);
  if (start === undefined && segments.length > 0) {
    throw refused('altered', `record ${tree.size} is missing`);
  }
  const walked = start === undefined ? [] : segments.slice(segments.indexOf(start));
  let end: LogEnd = {
    segment: undefined,
    bytes: 0,
    lastEntry: undefined,
    torn: undefined,
  };
  walked.forEach((segment, at) => {
    end = new SegmentCheck(log, tree).check(segment, at === walked.length - 1);
  });
  if (start === undefined && tree.size > 0) {
    throw refused('checkpoint_larger', `it has 0 of ${tree.size} signed records`);
  }
  return end;
}

/** @throws LogRefusedError if the files of records do not follow one another from the first record on */
function requireNoneMissing(disk: Disk, segments: readonly Segment[]): void {
  let next = 0;
  for (const [at, segment] of segments.entries()) {
    if (segment.first !== next) {
      throw refused('altered', `record ${Math.min(next, segment.first)} is missing`);
    }
    next = at === segments.length - 1 ? next : lastEnd(disk, segment);
  }
}

/** The record after the last group of a segment that another follows, by its end alone; NaN if no group ends there. */
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

/** The stored tree, as far as the newest checkpoint covers it. @throws LogRefusedError if it is another one */
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
  readonly #tree: TreeTiles;
  #lastEntry: Buffer | undefined;
  /** Number of the record after the last group that was read. */
  #reached = 0;

  constructor(log: StoredLog, tree: TreeTiles) {
    this.#log = log;
    this.#tree = tree;
  }

  check(segment: Segment, isLast: boolean): LogEnd {
    const bytes = this.#log.disk.read(segment.path) ?? Buffer.alloc(0);
    const header = segmentHeader(this.#log.logId, segment.first);
    const hasHeader = bytes.subarray(0, header.length).equals(header);
    if (segment.first > this.#tree.size) {
      throw refused('altered', `record ${this.#tree.size} is missing`);
    }
    // A crash while a segment is begun leaves no more than a part of its header.
    const isBegun = isLast && bytes.length <= header.length;
    if (!hasHeader && !(isBegun && segment.first === this.#tree.size)) {
      throw refused('altered', `the file of record ${segment.first} is damaged`);
    }
    this.#reached = segment.first;
    const end = hasHeader ? this.#checkGroups(bytes, header.length) : 0;
    const behind = bytes.subarray(hasHeader ? end : bytes.length);
    // In the last segment zeros at the end are room that a writer reserved.
    const rest = isLast ? withoutZeros(behind) : behind;
    if (this.#reached < this.#tree.size) {
      const has = `it has ${this.#reached} of ${this.#tree.size} signed records`;
      throw refused(!hasHeader || rest.length > 0 ? 'altered' : 'checkpoint_larger', has);
    }
    if (rest.length > 0) {
      this.#requireTorn(rest, behind, isLast);
    }
    return {
      segment,
      bytes: end,
      lastEntry: this.#lastEntry,
      torn: rest.length > 0 ? rest : undefined,
    };
  }

  /** Returns where the proven groups end. */
  #checkGroups(bytes: Buffer, start: number): number {
    let at = start;
    for (;;) {
      const length = groupLength(bytes.subarray(at));
      const group = length === undefined ? undefined : parseGroup(bytes.subarray(at, at + length));
      if (length === undefined || group?.first !== this.#reached) {
        return at;
      }
      const end = this.#reached + group.entries.length;
      if (end > this.#log.checkpoint.size && !this.#extend(group)) {
        return at;
      }
      this.#reached = end;
      this.#lastEntry = group.entries.at(-1);
      at += length;
    }
  }

  /** Whether the group is the next one and sealed; then it is in the tree. */
  #extend({ first, entries, seal }: Group): boolean {
    const { checkpoint, origin, publicKey } = this.#log;
    if (first !== this.#tree.size) {
      throw refused('checkpoint_wrong', 'it does not end with a group of records');
    }
    const leaves = entries.map((entry) => leafHash(entry));
    const grown = this.#tree.copyTree();
    leaves.forEach((leaf) => {
      grown.append(leaf);
    });
    if (!grown.root().equals(seal.root) || !isSealValid(origin, seal, publicKey)) {
      return false;
    }
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

  /**
   * Bytes after the proven end: less than a group, or one group whose seal is wrong. No other group may begin among them.
   *
   * @param behind the same with the zeros at their end: one signature in sixteen ends with one
   */
  #requireTorn(rest: Buffer, behind: Buffer, isLast: boolean): void {
    const { size } = this.#tree;
    const length = groupLength(rest);
    // Only where it is a whole group: a sector that was lost may have the end of its length, too.
    const isMore =
      length !== undefined &&
      length < rest.length &&
      parseGroup(rest.subarray(0, length)) !== undefined;
    if (!isLast || isMore || hasGroup(behind)) {
      throw refused('unsealed_end', `after record ${size - 1}`);
    }
  }
}

/**
 * Whether a group begins behind the start of these bytes, by its mark and length: no text of a record has one, since the first
 * byte of such a length is a control character, which JSON escapes. Looked for once, whatever stands there.
 */
function hasGroup(bytes: Buffer): boolean {
  for (const at of groupMarks(bytes)) {
    const length = groupLength(bytes.subarray(at));
    if (length !== undefined && length <= bytes.length - at) {
      return true;
    }
  }
  return false;
}
