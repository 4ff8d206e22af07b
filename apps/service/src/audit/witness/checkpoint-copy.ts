import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeDurably } from '@caregate/audit-log';
import type { Logger } from 'pino';
import { errorCode } from '../../config/operator-error.ts';
import { placeFile } from './copied-logs.ts';
import { readIfThere } from './kept-note.ts';

/** How long a start waits for the other disk. */
const READ_WITHIN_MS = 10_000;

/**
 * Puts each checkpoint of a log onto another disk or share. A failure is a warning, once, and shows in the metrics; it
 * never stops the service, and a share that hangs holds up nothing.
 */
export class CheckpointCopy {
  readonly path: string;
  readonly #logger: Logger;
  readonly #place: { readonly path: string; readonly text: string };
  #isPlaceWritten = false;
  #waiting: string | undefined;
  #written: string | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;

  /** @param place the data folder of the log, so that a start there notices when its log is another one */
  constructor(folder: string, logId: string, { place, logger }: { place: string; logger: Logger }) {
    this.path = join(folder, `${logId}.checkpoint`);
    this.#place = { path: placeFile(folder, logId), text: place };
    this.#logger = logger;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** The checkpoint copied last; undefined if there is none, or it cannot be read, which is a warning. */
  async read(): Promise<string | undefined> {
    try {
      const slow = delay(READ_WITHIN_MS, undefined, { ref: false }).then(() => {
        throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
      });
      return await Promise.race([readIfThere(this.path), slow]);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** Copies the checkpoint, or a newer one that comes before it is its turn. */
  put(note: string): void {
    this.#waiting = note;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all is copied, at the latest after this time. */
  async settled(withinMs: number): Promise<void> {
    await Promise.race([this.#writing, delay(withinMs, undefined, { ref: false })]);
  }

  async #write(): Promise<void> {
    for (let note = this.#next(); note !== undefined; note = this.#next()) {
      try {
        await writeDurably(this.path, note);
        await this.#writePlace();
        this.#written = note;
        this.#succeeded();
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  async #writePlace(): Promise<void> {
    const { path, text } = this.#place;
    if (!this.#isPlaceWritten && (await readIfThere(path)) !== text) {
      await writeDurably(path, text);
    }
    this.#isPlaceWritten = true;
  }

  #next(): string | undefined {
    const note = this.#waiting;
    this.#waiting = undefined;
    return note === this.#written ? undefined : note;
  }

  #succeeded(): void {
    if (this.#isFailing) {
      this.#isFailing = false;
      this.#logger.info('checkpoints are copied again');
    }
  }

  #failed(error: unknown): void {
    if (!this.#isFailing) {
      this.#isFailing = true;
      this.#logger.warn(
        { code: errorCode(error), path: this.path },
        'the checkpoint of the audit log cannot be copied; it will be tried again',
      );
    }
  }
}
