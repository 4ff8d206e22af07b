import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { createAnew } from '../disk/whole-file.ts';
import { sha256 } from '../tree/tree.ts';

const unrecorded = '.unrecorded';

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
  return disk.list(held).filter((name) => /^\d+-[0-9a-f]{16}(?:\.unrecorded)?$/u.test(name));
}

/** What is held and has no record, also from a start that was interrupted. */
export function unrecordedEnds(disk: Disk, held: string): HeldEnd[] {
  return disk
    .list(held)
    .filter((name) => name.endsWith(unrecorded))
    .map((name) => {
      const bytes = disk.read(join(held, name)) ?? Buffer.alloc(0);
      return { name, bytes: bytes.length, sha256: sha256(bytes).toString('hex') };
    });
}

/** To be called once its record is durable. */
export function markRecorded(disk: Disk, held: string, { name }: HeldEnd): void {
  disk.rename(join(held, name), join(held, name.slice(0, -unrecorded.length)));
  disk.syncFolder(held);
}
