import { statfs } from 'node:fs/promises';

const EVERY_MS = 30_000;
const LEAST_SHARE = 0.1;
const LEAST_BYTES = 2 * 2 ** 30;
/** Factor above the limits, so that a file that comes and goes raises one alarm. */
const AGAIN = 1.1;

/** In bytes; free for this process. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface DiskWatchEvents {
  /** At 10 % or 2 GiB; once each time. */
  readonly onLow: (space: DiskSpace) => void;
  readonly onEnough: (space: DiskSpace) => void;
  /** Once until it can be read again. */
  readonly onUnknown: (error: unknown) => void;
}

export class DiskWatch {
  readonly #read: () => Promise<DiskSpace>;
  readonly #events: DiskWatchEvents;
  #timer: NodeJS.Timeout | undefined;
  /** Undefined if it could not be read. */
  space: DiskSpace | undefined;
  #state: 'enough' | 'low' = 'enough';
  #isUnknown = false;

  constructor(read: () => Promise<DiskSpace>, events: DiskWatchEvents) {
    this.#read = read;
    this.#events = events;
  }

  start(everyMs = EVERY_MS): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    try {
      this.space = await this.#read();
    } catch (error) {
      this.space = undefined;
      if (!this.#isUnknown) {
        this.#isUnknown = true;
        this.#events.onUnknown(error);
      }
      return;
    }
    this.#isUnknown = false;
    const { freeBytes, totalBytes } = this.space;
    const least = Math.max(LEAST_BYTES, totalBytes * LEAST_SHARE);
    if (this.#state === 'enough' && freeBytes <= least) {
      this.#state = 'low';
      this.#events.onLow(this.space);
    } else if (this.#state === 'low' && freeBytes > least * AGAIN) {
      this.#state = 'enough';
      this.#events.onEnough(this.space);
    }
  }
}

export async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
