import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { describeErrorForLog } from '../problem/problem-error.ts';

const EVERY_MS = 30_000;
const LEAST_SHARE = 0.1;
const LEAST_BYTES = 2 * 2 ** 30;
/** The space must exceed the limits by this factor before another alarm, so that a temporary file raises only one. */
const RECOVERY_FACTOR = 1.1;

/** Space in bytes. `freeBytes` is what this process may use. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/**
 * Logs a warning once when less than 10 % or 2 GiB is free, once when there is enough space again, and once while the
 * space can't be read.
 */
export class DiskWatch {
  readonly #read: () => Promise<DiskSpace>;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #onLow: (space: DiskSpace) => void;
  #timer: NodeJS.Timeout | undefined;
  space: DiskSpace | undefined;
  #state: 'enough' | 'low' = 'enough';
  #isUnknown = false;

  constructor(
    read: () => Promise<DiskSpace>,
    logger: Pick<Logger, 'info' | 'warn'>,
    onLow: (space: DiskSpace) => void,
  ) {
    this.#read = read;
    this.#logger = logger;
    this.#onLow = onLow;
  }

  start(everyMs = EVERY_MS): void {
    void this.check();
    this.#timer = setInterval(() => void this.check(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async check(): Promise<void> {
    try {
      this.space = await this.#read();
    } catch (error) {
      this.space = undefined;
      if (!this.#isUnknown) {
        this.#isUnknown = true;
        const facts = { error: describeErrorForLog(error) };
        this.#logger.warn(facts, 'the space of the disk with the data folder cannot be read');
      }
      return;
    }
    this.#isUnknown = false;
    const { freeBytes, totalBytes } = this.space;
    const facts = { free_bytes: freeBytes, total_bytes: totalBytes };
    const least = Math.max(LEAST_BYTES, totalBytes * LEAST_SHARE);
    if (this.#state === 'enough' && freeBytes <= least) {
      this.#state = 'low';
      const words = 'the disk with the data folder is almost full';
      this.#logger.warn({ alarm: 'disk-space', ...facts }, words);
      this.#onLow(this.space);
    } else if (this.#state === 'low' && freeBytes > least * RECOVERY_FACTOR) {
      this.#state = 'enough';
      this.#logger.info(facts, 'the disk with the data folder has enough space again');
    }
  }
}

/** Whether a file system has no inodes left. It then accepts no new files, however much space is free. */
export function hasNoInodes(folder: string): boolean {
  const { files, ffree } = statfsSync(folder);
  return files > 0 && ffree === 0;
}

export async function readSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
