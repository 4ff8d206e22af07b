import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { createAnew } from '../disk/whole-file.ts';
import { AuditLogError } from '../errors.ts';
import { sha256 } from '../tree/tree.ts';
import { longestGroup } from './group.ts';

const unrecorded = '.unrecorded';
const ofEnd = /^\d{1,15}-[0-9a-f]{16}(?:\.unrecorded)?$/u;
/** Interrupted starts leave a few. */
const mostAtOnce = 16;

export interface HeldEnd {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Keeps a torn end durably, marked as not recorded yet. */
export function holdEnd(
  disk: Disk,
  held: string,
  parent: string,
  size: number,
  torn: Buffer,
): void {
  disk.makeFolder(held);
  disk.syncFolder(parent);
  const digest = sha256(torn).toString('hex').slice(0, 16);
  createAnew(disk, join(held, `${size}-${digest}${unrecorded}`), torn);
  disk.syncFolder(held);
}

/** Torn ends alone: nothing else that lies there. */
export function heldEnds(disk: Disk, held: string): string[] {
  return disk.list(held).filter((name) => ofEnd.test(name));
}

/** Those at the end of the log without a record; `size` is that of the log before the first of them is recorded. */
export function unrecordedEnds(
  disk: Disk,
  held: string,
  { size, isRecorded }: { size: number; isRecorded: (seq: number, sha256: string) => boolean },
): (HeldEnd & { readonly isRecorded: boolean })[] {
  return disk
    .list(held)
    .filter((name) => ofEnd.test(name) && name.endsWith(unrecorded))
    .flatMap((name) => {
      const at = Number(name.split('-', 1)[0]);
      const bytes = at <= size ? readEnd(disk, join(held, name)) : undefined;
      const digest = bytes && sha256(bytes).toString('hex');
      if (
        bytes === undefined ||
        digest === undefined ||
        !name.startsWith(`${at}-${digest.slice(0, 16)}.`)
      ) {
        return [];
      }
      const known = Array.from(
        { length: Math.min(mostAtOnce, size - at) },
        (_, index) => at + index,
      );
      const has = known.some((seq) => isRecorded(seq, digest));
      return has || at === size
        ? [{ name, bytes: bytes.length, sha256: digest, isRecorded: has }]
        : [];
    })
    .slice(0, mostAtOnce);
}

function readEnd(disk: Disk, path: string): Buffer | undefined {
  try {
    const file = disk.open(path);
    try {
      return file.size() <= longestGroup ? file.read(0, file.size()) : undefined;
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof AuditLogError) {
      return undefined;
    }
    throw error;
  }
}

/** Call once its record is durable. */
export function markRecorded(disk: Disk, held: string, { name }: HeldEnd): void {
  disk.rename(join(held, name), join(held, name.slice(0, -unrecorded.length)));
  disk.syncFolder(held);
}
