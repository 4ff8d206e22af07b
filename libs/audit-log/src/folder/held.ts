import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { createAnew } from '../disk/whole-file.ts';
import { AuditLogError } from '../errors.ts';
import { sha256 } from '../tree/tree.ts';
import { longestGroup } from './group.ts';

const unrecorded = '.unrecorded';
const ofEnd = /^\d{1,15}-[0-9a-f]{16}(?:\.unrecorded)?$/u;
/** Starts that were interrupted one after another leave some, and nobody leaves more. */
const mostAtOnce = 16;

/** A torn end that was set aside. */
export interface HeldEnd {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Keeps the bytes of a torn end durably, marked as not recorded yet. */
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

/** Torn ends that are held, by name: not the folders of accepted breaks, which have a key in them. */
export function heldEnds(disk: Disk, held: string): string[] {
  return disk.list(held).filter((name) => ofEnd.test(name));
}

/**
 * What was held at the end of the log and has no record yet, also from a start that was interrupted: a file under the name that
 * `holdEnd` gives, with the bytes that it names. What else somebody puts there is left alone.
 *
 * @param size records of the log before the first of these is recorded
 * @param isRecorded whether the record with this number says that these bytes were set aside
 */
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

/** Undefined if it is no file, or longer than what a start sets aside. */
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

/** To be called once its record is durable. */
export function markRecorded(disk: Disk, held: string, { name }: HeldEnd): void {
  disk.rename(join(held, name), join(held, name.slice(0, -unrecorded.length)));
  disk.syncFolder(held);
}
