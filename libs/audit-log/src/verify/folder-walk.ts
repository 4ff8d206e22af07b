import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { AuditBrokenError } from '../errors.ts';
import {
  groupHeadLength,
  groupLength,
  parseGroup,
  segmentHeader,
  type Group,
} from '../folder/group.ts';
import type { LogPaths } from '../folder/layout.ts';
import { listSegments, type Segment } from '../folder/segments.ts';
import { bytesOfTile, hashesOfTile, tilePath } from '../tree/tiles.ts';

const chunk = 2 ** 20;

/** Bytes behind the last group that are no group. */
export interface UnsealedEnd {
  readonly after: number;
  readonly bytes: number;
}

/** Walks through all that a folder says of its records, and takes nothing that is not exactly as a writer leaves it. */
export class FolderWalk {
  readonly #disk: Disk;
  readonly #paths: LogPaths;
  readonly #logId: string;
  readonly #segments: readonly Segment[];
  #unsealedEnd: UnsealedEnd | undefined;

  constructor(disk: Disk, paths: LogPaths, logId: string) {
    this.#disk = disk;
    this.#paths = paths;
    this.#logId = logId;
    this.#segments = listSegments(disk, paths.records);
  }

  /** The first record whose entry is there: those before it were erased. */
  get first(): number {
    return this.#segments[0]?.first ?? 0;
  }

  /** After `groups`: what is behind the last one. */
  get unsealedEnd(): UnsealedEnd | undefined {
    return this.#unsealedEnd;
  }

  /** All groups, each in bytes of its own. @throws AuditBrokenError where anything stands between them */
  *groups(): Generator<Group, void> {
    let next = this.first;
    for (const [at, segment] of this.#segments.entries()) {
      if (segment.first !== next) {
        throw next < segment.first
          ? new AuditBrokenError('gap', `Record ${next} is missing`, next)
          : new AuditBrokenError(
              'altered',
              `Two files have record ${segment.first}`,
              segment.first,
            );
      }
      for (const group of this.#groupsOf(segment, at === this.#segments.length - 1)) {
        if (group.first !== next) {
          throw new AuditBrokenError('gap', `Record ${next} is missing`, next);
        }
        next += group.entries.length;
        yield group;
      }
    }
  }

  /** A full tile as it is stored; undefined if there is none of the right length. */
  tile(level: number, index: number): Buffer | undefined {
    const bytes = this.#disk.read(join(this.#paths.audit, tilePath(level, index)));
    return bytes?.length === bytesOfTile ? bytes : undefined;
  }

  /** A leaf as a full tile has it. */
  leaf(seq: number): Buffer | undefined {
    const at = 32 * (seq % hashesOfTile);
    return this.tile(0, Math.floor(seq / hashesOfTile))?.subarray(at, at + 32);
  }

  /** Hashes of the leaves of erased records from the tiles. @throws AuditBrokenError */
  *erasedLeaves(): Generator<Buffer, void> {
    for (let from = 0; from < this.first; from += hashesOfTile) {
      const index = from / hashesOfTile;
      const width = Math.min(hashesOfTile, this.first - from);
      const tile = this.tile(0, index) ?? this.#partial(index, width);
      if (tile === undefined) {
        throw new AuditBrokenError(
          'gap',
          `The hashes of erased records are missing from record ${from} on`,
          from,
        );
      }
      for (let at = 0; at < width; at += 1) {
        yield tile.subarray(32 * at, 32 * at + 32);
      }
    }
  }

  #partial(index: number, width: number): Buffer | undefined {
    const folder = `${tilePath(0, index)}.p`;
    const names = this.#disk.list(join(this.#paths.audit, folder));
    const wide = names.find((name) => Number(name) >= width);
    const bytes =
      wide === undefined ? undefined : this.#disk.read(join(this.#paths.audit, folder, wide));
    return bytes !== undefined && bytes.length >= 32 * width ? bytes : undefined;
  }

  *#groupsOf(segment: Segment, isLast: boolean): Generator<Group, void> {
    const file = this.#disk.open(segment.path);
    try {
      const header = segmentHeader(this.#logId, segment.first);
      const size = file.size();
      if (!file.read(0, header.length).equals(header)) {
        this.#requireEnd(isLast, { after: segment.first, bytes: size });
        return;
      }
      let [start, bytes] = [header.length, file.read(header.length, chunk)];
      let next = segment.first;
      for (let at = start; at < size;) {
        const isWhole = (): boolean =>
          bytes.length - (at - start) >=
          (groupLength(bytes.subarray(at - start)) ?? groupHeadLength);
        if (!isWhole()) {
          const head = groupLength(file.read(at, groupHeadLength));
          [start, bytes] = [at, file.read(at, Math.max(chunk, head ?? 0))];
        }
        const length = groupLength(bytes.subarray(at - start)) ?? 0;
        const group = parseGroup(bytes.subarray(at - start, at - start + length));
        if (group === undefined) {
          this.#requireEnd(isLast, { after: next, bytes: size - at });
          return;
        }
        yield group;
        next += group.entries.length;
        at += length;
      }
    } finally {
      file.close();
    }
  }

  /** Only the last file may end in what is no group: the caller decides on that. */
  #requireEnd(isLast: boolean, end: UnsealedEnd): void {
    if (!isLast) {
      throw new AuditBrokenError(
        'altered',
        `The file of records is damaged from record ${end.after} on`,
        end.after,
      );
    }
    this.#unsealedEnd = end;
  }
}
