import { dirname, join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { MadeFolders } from '../disk/whole-file.ts';
import { createAnew } from '../disk/whole-file.ts';
import { AuditBrokenError } from '../errors.ts';
import { blockPath, isFullBlock } from '../tree/blocks.ts';
import { segmentHeader } from './group.ts';
import { heldEnds } from './held.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { bytesOf, groupsOf, listSegments, segmentPath, type Segment } from './segments.ts';

interface CopiedLog {
  readonly logId: string;
  readonly from: LogPaths;
  readonly to: string;
  readonly note: string;
}

/** Leaves out the key. @throws AuditBrokenError if a record that `note` covers is missing */
export function copyLog(
  disk: Disk,
  { logId, from, to: folder, note }: CopiedLog,
  onProgress?: (bytes: number, of: number) => void,
): void {
  const to = logPaths(folder);
  const size = Number(note.split('\n')[1]);
  const copy = new Copy(disk, from, to);
  disk.makeFolder(to.audit);
  disk.makeFolder(to.records);
  let end = 0;
  const segments = listSegments(disk, from.records).filter(
    ({ first }) => first < size || first === 0,
  );
  const of = bytesOf(disk, segments);
  let bytes = 0;
  for (const segment of segments) {
    if (segment.first !== end) {
      break;
    }
    end = copy.segment(segment, { logId, size });
    bytes += bytesOf(disk, [segment]);
    onProgress?.(Math.min(bytes, of), of);
  }
  if (end !== size) {
    throw new AuditBrokenError('gap', `Record ${end} is missing or damaged`, end);
  }
  copy.blocks(size);
  copy.file('log');
  createAnew(disk, to.checkpoint, Buffer.from(note));
  heldEnds(disk, from.held).forEach((name) => {
    copy.file(join('held', name));
  });
  copy.syncFolders();
}

class Copy {
  readonly #disk: Disk;
  readonly #from: LogPaths;
  readonly #to: LogPaths;
  readonly #folders: MadeFolders;

  constructor(disk: Disk, from: LogPaths, to: LogPaths) {
    this.#disk = disk;
    this.#from = from;
    this.#to = to;
    this.#folders = new MadeFolders(disk, to.audit, to.records, to.data);
  }

  /** Copies groups up to this size; returns the record after the last one. */
  segment(segment: Segment, { logId, size }: { logId: string; size: number }): number {
    const file = this.#disk.open(segment.path);
    try {
      const header = segmentHeader(logId, segment.first);
      let [end, bytes] = [segment.first, header.length];
      for (const group of groupsOf(file, segment, header.length)) {
        if (group.end > size) {
          break;
        }
        [end, bytes] = [group.end, group.at + group.bytes.length];
      }
      createAnew(this.#disk, segmentPath(this.#to.records, segment.first), file.read(0, bytes));
      return end;
    } finally {
      file.close();
    }
  }

  blocks(size: number): void {
    for (let level = 0; isFullBlock(size, level, 0); level += 1) {
      for (let index = 0; isFullBlock(size, level, index); index += 1) {
        this.file(blockPath(level, index));
      }
    }
  }

  file(name: string): void {
    const bytes = this.#disk.read(join(this.#from.audit, name));
    if (bytes === undefined) {
      throw new AuditBrokenError('gap', `The file audit/${name} is missing`);
    }
    const path = join(this.#to.audit, name);
    this.#folders.make(dirname(path));
    createAnew(this.#disk, path, bytes);
  }

  syncFolders(): void {
    this.#folders.all.forEach((folder) => {
      this.#disk.syncFolder(folder);
    });
  }
}
