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

/** Larger only for a larger group. */
export const mostBytes: number = 2 ** 20;
const nothing = Buffer.alloc(0);

export interface UnsealedEnd {
  readonly after: number;
  readonly bytes: number;
}

/** Consecutive groups of a segment, by their lengths. */
export interface Chunk {
  readonly segment: Segment;
  readonly isLast: boolean;
  readonly bytes: Buffer;
  /** Bytes after them in the file. */
  readonly behind: number;
  /** Whether no group follows although bytes do. */
  readonly isBroken: boolean;
}

/** Reads all records of a folder and accepts only what a writer leaves. */
export class FolderWalk {
  readonly #disk: Disk;
  readonly #logId: string;
  readonly #segments: readonly Segment[];
  readonly #free: Buffer[] = [];
  #next = 0;
  /** First record of the current segment. */
  #segment: number | undefined;
  #unsealedEnd: UnsealedEnd | undefined;

  constructor(disk: Disk, paths: LogPaths, logId: string) {
    this.#disk = disk;
    this.#logId = logId;
    this.#segments = listSegments(disk, paths.records);
  }

  /** Known after all groups. */
  get unsealedEnd(): UnsealedEnd | undefined {
    return this.#unsealedEnd;
  }

  /** All records in order; pass each chunk to `groupsOf`, once and in this order. */
  *chunks(): Generator<Chunk, void> {
    for (const segment of this.#segments) {
      yield* this.#chunksOf(segment, segment === this.#segments.at(-1));
    }
  }

  /** The buffer of the chunk is reused afterwards. @throws AuditBrokenError at anything that is not a group */
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

  *groups(): Generator<Group, void> {
    for (const chunk of this.chunks()) {
      yield* this.groupsOf(chunk);
    }
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

  #requireInPlace({ first }: Segment): void {
    if (first !== this.#segment && first !== this.#next) {
      throw this.#next < first
        ? new AuditBrokenError('gap', `Record ${this.#next} is missing`, this.#next)
        : new AuditBrokenError('altered', `Two files have record ${first}`, first);
    }
    this.#segment = first;
  }

  /** Only the last segment may end in other bytes: the caller decides. */
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

/** Zeros at the end of the last segment are reserved room. */
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
