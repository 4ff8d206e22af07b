import { join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { AuditBrokenError } from '../errors.ts';
import {
  groupHeadLength,
  groupLength,
  parseGroup,
  segmentHeader,
  withoutZeros,
  type Group,
} from '../folder/group.ts';
import type { LogPaths } from '../folder/layout.ts';
import { listSegments, type Segment } from '../folder/segments.ts';
import { bytesOfTile, tilePath } from '../tree/tiles.ts';

/** A chunk has more only where one group has. */
export const mostBytes: number = 2 ** 20;
const nothing = Buffer.alloc(0);

/** Bytes behind the last group that are no group. */
export interface UnsealedEnd {
  readonly after: number;
  readonly bytes: number;
}

/** Bytes of a segment that were read at once: groups one after another, as far as their lengths say so. */
export interface Chunk {
  readonly segment: Segment;
  /** Of the last segment. */
  readonly isLast: boolean;
  readonly bytes: Buffer;
  /** Number of bytes behind them in the file. */
  readonly behind: number;
  /** Whether what is behind them is no group. */
  readonly isBroken: boolean;
}

/**
 * Walks through all that a folder says of its records when this is made, and takes nothing that is not exactly as a writer
 * leaves it.
 */
export class FolderWalk {
  readonly #disk: Disk;
  readonly #paths: LogPaths;
  readonly #logId: string;
  readonly #segments: readonly Segment[];
  /** Memory of chunks that were looked through. */
  readonly #free: Buffer[] = [];
  /** Number of the next record. */
  #next = 0;
  /** First record of the segment that is looked through. */
  #segment: number | undefined;
  #unsealedEnd: UnsealedEnd | undefined;

  constructor(disk: Disk, paths: LogPaths, logId: string) {
    this.#disk = disk;
    this.#paths = paths;
    this.#logId = logId;
    this.#segments = listSegments(disk, paths.records);
  }

  /** After all groups: what is behind the last one. */
  get unsealedEnd(): UnsealedEnd | undefined {
    return this.#unsealedEnd;
  }

  /** All records in order, as they are read; their groups are then to be looked through, once and in this order. */
  *chunks(): Generator<Chunk, void> {
    for (const segment of this.#segments) {
      yield* this.#chunksOf(segment, segment === this.#segments.at(-1));
    }
  }

  /**
   * The groups in a chunk; afterwards its memory is used again.
   *
   * @throws AuditBrokenError where anything stands between them
   */
  *groupsOf({ segment, isLast, bytes, behind, isBroken }: Chunk): Generator<Group, void> {
    this.#requireInPlace(segment);
    for (let at = 0; at < bytes.length && this.#unsealedEnd === undefined;) {
      const end = at + (groupLength(bytes.subarray(at)) ?? 0);
      const group = parseGroup(bytes.subarray(at, end));
      if (group === undefined) {
        this.#requireEnd(isLast, bytes.length - at + behind);
      } else if (group.first === this.#next) {
        this.#next += group.entries.length;
        yield group;
        at = end;
      } else {
        throw new AuditBrokenError('gap', `Record ${this.#next} is missing`, this.#next);
      }
    }
    if (isBroken && this.#unsealedEnd === undefined) {
      this.#requireEnd(isLast, behind);
    }
    if (bytes.buffer.byteLength >= mostBytes) {
      this.#free.push(Buffer.from(bytes.buffer));
    }
  }

  /** All groups. @throws AuditBrokenError where anything stands between them */
  *groups(): Generator<Group, void> {
    for (const chunk of this.chunks()) {
      yield* this.groupsOf(chunk);
    }
  }

  /** A full tile as it is stored; undefined if there is none of the right length. */
  tile(level: number, index: number): Buffer | undefined {
    const bytes = this.#disk.read(join(this.#paths.audit, tilePath(level, index)));
    return bytes?.length === bytesOfTile ? bytes : undefined;
  }

  *#chunksOf(segment: Segment, isLast: boolean): Generator<Chunk, void> {
    const file = this.#disk.open(segment.path);
    try {
      const header = segmentHeader(this.#logId, segment.first);
      const size = isLast ? sizeWithoutZeros(file) : file.size();
      const isOurs = file.read(0, header.length).equals(header);
      let at = isOurs ? header.length : 0;
      if (!isOurs || at === size) {
        yield { segment, isLast, bytes: nothing, behind: size - at, isBroken: !isOurs };
        return;
      }
      for (let length = 1; length > 0 && at < size;) {
        let bytes = file.read(at, mostBytes, this.#free.pop() ?? Buffer.allocUnsafe(mostBytes));
        length = lengthOfGroups(bytes);
        if (length === 0) {
          const first = groupLength(bytes) ?? 0;
          bytes = first > bytes.length ? file.read(at, first) : bytes;
          length = bytes.length === first ? first : 0;
        }
        at += length;
        yield {
          segment,
          isLast,
          bytes: bytes.subarray(0, length),
          behind: Math.max(0, size - at),
          isBroken: length === 0,
        };
      }
    } finally {
      file.close();
    }
  }

  /** Segments follow one another. */
  #requireInPlace({ first }: Segment): void {
    if (first !== this.#segment && first !== this.#next) {
      throw this.#next < first
        ? new AuditBrokenError('gap', `Record ${this.#next} is missing`, this.#next)
        : new AuditBrokenError('altered', `Two files have record ${first}`, first);
    }
    this.#segment = first;
  }

  /** Only the last file may end in what is no group: the caller decides on that. */
  #requireEnd(isLast: boolean, bytes: number): void {
    const after = this.#next;
    if (!isLast) {
      throw new AuditBrokenError(
        'altered',
        `The file of records is damaged from record ${after} on`,
        after,
      );
    }
    this.#unsealedEnd = { after, bytes };
  }
}

/** A writer reserves room with zeros: at the end of the last file they are nothing. */
function sizeWithoutZeros(file: DiskFile): number {
  let size = file.size();
  while (size > 0) {
    const from = Math.max(0, size - 2 ** 16);
    const { length } = withoutZeros(file.read(from, size - from));
    if (length > 0) {
      return from + length;
    }
    size = from;
  }
  return 0;
}

/** Number of bytes of the whole groups at the start of these, by their lengths. */
function lengthOfGroups(bytes: Buffer): number {
  let length = 0;
  for (;;) {
    const next = groupLength(bytes.subarray(length, length + groupHeadLength));
    if (next === undefined || length + next > bytes.length) {
      return length;
    }
    length += next;
  }
}
