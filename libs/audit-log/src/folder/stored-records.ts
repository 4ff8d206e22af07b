import type { Disk, DiskFile } from '../disk/disk.ts';
import { leafHash } from '../tree/tree.ts';
import { parseGroup, segmentHeader, type Group } from './group.ts';
import { groupsOf, listSegments, segmentOf, type FoundGroup, type Segment } from './segments.ts';

/** Bytes between remembered positions. */
const stride = 2 ** 18;
/** Read sizes for a record, and for one whose position is known. */
const smallChunk = 2 ** 16;
const tinyChunk = 2 ** 12;

interface Known {
  readonly at: number;
  readonly first: number;
}

/** Finds records in the segments of a folder, also while they grow. Nothing is checked. */
export class StoredRecords {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #logId: string;
  readonly #known = new Map<number, Known[]>();
  /** Groups near the last record found: records of one answer are close together. */
  #near: { readonly from: string; readonly places: Known[] } = { from: '', places: [] };
  #open: { readonly segment: Segment; readonly file: DiskFile } | undefined;
  #last: Group | undefined;

  constructor(disk: Disk, folder: string, logId: string) {
    this.#disk = disk;
    this.#folder = folder;
    this.#logId = logId;
  }

  segments(): Segment[] {
    return listSegments(this.#disk, this.#folder);
  }

  /** Groups from the one with record `from` on; each segment ends at the first group that is not whole. */
  *groups(from: number): Generator<FoundGroup, void> {
    const segments = this.segments();
    const start = segmentOf(segments, from);
    for (const segment of start === undefined
      ? segments
      : segments.slice(segments.indexOf(start))) {
      yield* this.groupsOf(segment, from);
    }
  }

  *groupsOf(segment: Segment, from: number): Generator<FoundGroup, void> {
    const file = this.#openFile(segment);
    try {
      yield* file === undefined ? [] : this.#walk(file, segment, from);
    } finally {
      file?.close();
    }
  }

  groupOf(seq: number): Group | undefined {
    if (this.#last !== undefined && has(this.#last, seq)) {
      return this.#last;
    }
    const group = this.#search(seq) ?? this.#searchAgain(seq);
    this.#last = group ?? this.#last;
    return group;
  }

  entry(seq: number): Buffer | undefined {
    const group = this.groupOf(seq);
    return group?.entries[seq - group.first];
  }

  leaf(seq: number): Buffer | undefined {
    const entry = this.entry(seq);
    return entry && leafHash(entry);
  }

  close(): void {
    this.#open?.file.close();
    this.#open = undefined;
  }

  *#walk(file: DiskFile, segment: Segment, from: number): Generator<FoundGroup, void> {
    const start = this.#startOf(file, segment, from);
    for (const group of start === undefined ? [] : groupsOf(file, segment, start)) {
      this.#remember(group);
      if (group.end > from) {
        yield group;
      }
    }
  }

  /** The last remembered position before a record; undefined if the file is not of this log. */
  #startOf(file: DiskFile, segment: Segment, seq: number): number | undefined {
    const header = segmentHeader(this.#logId, segment.first);
    if (!file.read(0, header.length).equals(header)) {
      return undefined;
    }
    return placeOf(this.#known.get(segment.first) ?? [], seq) ?? header.length;
  }

  #remember({ segment, at, first }: FoundGroup): void {
    const known = this.#known.get(segment.first) ?? [];
    this.#known.set(segment.first, known);
    if (at >= (known.at(-1)?.at ?? 0) + stride) {
      known.push({ at, first });
    }
  }

  #find(file: DiskFile, segment: Segment, seq: number): FoundGroup | undefined {
    const start = this.#startOf(file, segment, seq);
    if (start === undefined) {
      return undefined;
    }
    const from = `${segment.path} ${start}`;
    if (this.#near.from !== from) {
      this.#near = { from, places: [] };
    }
    const { places } = this.#near;
    const near = placeOf(places, seq);
    const chunk = near === undefined ? smallChunk : tinyChunk;
    for (const group of groupsOf(file, segment, near ?? start, chunk)) {
      this.#remember(group);
      if (group.first > (places.at(-1)?.first ?? -1)) {
        places.push({ at: group.at, first: group.first });
      }
      if (group.end > seq) {
        return group;
      }
    }
    return undefined;
  }

  #search(seq: number): Group | undefined {
    const segment = segmentOf(this.segments(), seq);
    const file = segment && this.#fileOf(segment);
    const found = segment && file && this.#find(file, segment, seq);
    const group = found && parseGroup(Buffer.from(found.bytes));
    return group !== undefined && has(group, seq) ? group : undefined;
  }

  /** A start may have replaced the segment. */
  #searchAgain(seq: number): Group | undefined {
    this.close();
    this.#near = { from: '', places: [] };
    return this.#search(seq);
  }

  /** Kept open for single records. */
  #fileOf(segment: Segment): DiskFile | undefined {
    if (this.#open?.segment.path !== segment.path) {
      this.close();
      const file = this.#openFile(segment);
      this.#open = file && { segment, file };
    }
    return this.#open?.file;
  }

  #openFile({ path }: Segment): DiskFile | undefined {
    try {
      return this.#disk.open(path);
    } catch (error) {
      // Removed since it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }
}

function placeOf(places: readonly Known[], seq: number): number | undefined {
  return places.findLast(({ first }) => first <= seq)?.at;
}

function has({ first, entries }: Group, seq: number): boolean {
  return first <= seq && seq < first + entries.length;
}
