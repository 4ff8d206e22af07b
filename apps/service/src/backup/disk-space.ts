import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { isFull, isUnopened } from '@caregate/data-store/database';
import { hasNoInodes, readSpace } from '../health/disk-watch.ts';
import { listFiles } from './manifest.ts';

/** Bytes that must remain free for the service if the copy is on its disk. */
export const RESERVED_BYTES = 256 * 2 ** 20;

export function computeCopySize(dataDir: string): number {
  return listFiles(dataDir)
    .filter((name) => !/-shm$|^backup-stage/u.test(name))
    .map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** @throws OperatorError that names the disk */
export async function requireSpace(folder: string, needed: number, why = ''): Promise<void> {
  const { freeBytes } = await readSpace(folder);
  if (freeBytes < needed) {
    const free = Math.floor(freeBytes / 2 ** 20);
    const wanted = Math.ceil(needed / 2 ** 20);
    throw new OperatorError(
      `The disk of ${folder} has ${free} MiB free, and ${wanted} are needed${why}. Make room, or choose another disk; nothing was done.`,
      2,
    );
  }
  if (hasNoInodes(folder)) {
    throw new OperatorError(
      `The disk of ${folder} takes no more files: it has no free inode (df -i). Remove files, or choose another disk; nothing was done.`,
      2,
    );
  }
}

export function isSameDisk(one: string, other: string): boolean {
  return statSync(one).dev === statSync(other).dev;
}

/** Turns a full-disk error into one that names the disk. Call it before the partial files are removed. */
export function toFullDiskError(error: unknown, folder: string): unknown {
  for (let cause = error; isObject(cause); cause = cause.cause) {
    const isNamed = isFull(cause) || ['ENOSPC', 'EDQUOT'].includes(getErrorCode(cause));
    if (isNamed || (isUnopened(cause) && hasNoInodes(folder))) {
      return new OperatorError(
        `The disk of ${folder} became full (df -h, df -i). What was written there was removed: make room, and run the command again.`,
        2,
        error,
      );
    }
  }
  return error;
}

function isObject(value: unknown): value is { readonly cause?: unknown } {
  return typeof value === 'object' && value !== null;
}
