import type { Disk, DiskFile } from '../disk/disk.ts';
import { AuditLogError } from '../errors.ts';
import { listSegments, segmentOf, type Segment } from './segments.ts';

/** Files held open: a system may allow a process no more than a thousand. */
const mostHeld = 512;

/**
 * The segments of a folder as they are at one moment: their files are open from then on, so that a cut beside a reading
 * takes none away from it. The last one is not held: no cut takes it, and its writer goes on in it.
 */
export class SegmentSnapshot {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #held = new Map<number, DiskFile>();
  #listed: readonly Segment[];
  #segments: readonly Segment[] = [];

  /** Of records from `from` (inclusive) to `to` (exclusive). Close it. */
  constructor(disk: Disk, folder: string, { from = 0, to = Infinity } = {}) {
    this.#disk = disk;
    this.#folder = folder;
    this.#listed = listSegments(disk, folder);
    try {
      // A cut may remove one between the listing and its opening: then the log begins behind it.
      while (!this.#hold(from, to)) {
        this.close();
        this.#listed = listSegments(disk, folder);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Those that have records of the range, in order. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Number of the first record that no cut had removed. */
  get firstKept(): number {
    return this.#listed[0]?.first ?? 0;
  }

  /**
   * The file of a segment, once; whoever asks closes it.
   *
   * @throws AuditLogError if a cut has removed one that was too far behind to be held
   */
  open(segment: Segment): DiskFile {
    const held = this.#held.get(segment.first);
    this.#held.delete(segment.first);
    try {
      return held ?? this.#disk.open(segment.path);
    } catch (error) {
      const [first] = listSegments(this.#disk, this.#folder);
      if (isMissing(error) && first !== undefined && first.first > segment.first) {
        throw new AuditLogError(
          `Record ${segment.first} was erased while the log was read. Read it again.`,
          error,
        );
      }
      throw error;
    }
  }

  close(): void {
    for (const [first, file] of this.#held) {
      this.#held.delete(first);
      file.close();
    }
  }

  /** False if a file is gone from the folder since it was listed. */
  #hold(from: number, to: number): boolean {
    const start = segmentOf(this.#listed, from)?.first ?? 0;
    this.#segments = this.#listed.filter(({ first }) => first >= start && first < to);
    const last = this.#listed.at(-1);
    for (const { first, path } of this.#segments.slice(0, mostHeld)) {
      if (first === last?.first) {
        break;
      }
      try {
        this.#held.set(first, this.#disk.open(path));
      } catch (error) {
        if (areTooManyOpen(error)) {
          // As behind the most that are held: what is not held is opened when it is read.
          this.#letGoOfHalf();
          break;
        }
        if (!isMissing(error) || this.#isListed(first)) {
          throw error;
        }
        return false;
      }
    }
    return true;
  }

  /** Of the newest, which a cut reaches last: whoever reads has files to open, too. */
  #letGoOfHalf(): void {
    for (const [first, file] of [...this.#held].slice(Math.floor(this.#held.size / 2))) {
      this.#held.delete(first);
      file.close();
    }
  }

  #isListed(seq: number): boolean {
    return listSegments(this.#disk, this.#folder).some(({ first }) => first === seq);
  }
}

/** The process, or the system, may open no more files. */
function areTooManyOpen(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
