import type { LogReader } from '../folder/log-reader.ts';
import type { IndexedMembers } from './index-rows.ts';
import { Indexer, type Indexed } from './indexer.ts';
import { LogIndex } from './log-index.ts';

/** Records per second below which there is time for the index. */
const idleRecords = 100;
/** Takes some ten milliseconds. */
const stepRecords = 1000;
/** Beyond this, indexing goes on even under load: a reader waits some 30 us for each missing record. */
const mostBehind = 50_000;
const mostDoubled = 6;

interface Writing {
  readonly written: number;
  readonly queued: number;
}

/** The index of the log that this process writes, kept up to date in a thread, in small steps while few records come. */
export class FolderIndex {
  readonly #dataDir: string;
  readonly #log: LogReader;
  readonly #members: IndexedMembers;
  readonly #state: () => Writing;
  readonly #indexer: Pick<Indexer, 'step' | 'catchUp' | 'close'>;
  readonly #lookEveryMs: number;
  #index: LogIndex | undefined;
  #timer: NodeJS.Timeout;
  #isClosed = false;
  #failures = 0;
  #known: (Indexed & { readonly written: number }) | undefined;
  #lastLook: { readonly written: number; readonly atMs: number };

  constructor(
    dataDir: string,
    log: LogReader,
    {
      members,
      state,
      indexer = new Indexer(dataDir, members),
      lookEveryMs = 1000,
    }: {
      readonly members: IndexedMembers;
      readonly state: () => Writing;
      readonly indexer?: Pick<Indexer, 'step' | 'catchUp' | 'close'>;
      readonly lookEveryMs?: number;
    },
  ) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#members = members;
    this.#state = state;
    this.#indexer = indexer;
    this.#lookEveryMs = lookEveryMs;
    this.#lastLook = { written: state().written, atMs: performance.now() };
    this.#timer = this.#after(lookEveryMs);
  }

  /** Indexes the log of a folder anew, also while it is written. Returns the number of its records. */
  static async rebuild(
    dataDir: string,
    log: LogReader,
    members: IndexedMembers,
    onProgress: (records: number, of: number) => void,
  ): Promise<number> {
    const index = LogIndex.of(dataDir, log, members);
    try {
      await index.rebuild(onProgress);
      return index.size;
    } finally {
      index.close();
    }
  }

  /** Records that are not indexed yet; undefined until the first answer. */
  get lag(): number | undefined {
    return this.#known && this.#known.of - this.#known.size + this.#since(this.#known.written);
  }

  /** The index with all records that the log had at the call. */
  async caughtUp(): Promise<LogIndex> {
    for (let tries = 0; tries <= 3; tries += 1) {
      const { size } = await this.#ask(async () => {
        const all = await this.#indexer.catchUp();
        return { size: all, of: all };
      });
      this.#index ??= LogIndex.of(this.#dataDir, this.#log, this.#members);
      if (this.#index.size >= size && !this.#index.wasReplaced()) {
        return this.#index;
      }
      // It was made again in another file.
      this.#index.close();
      this.#index = undefined;
    }
    throw new Error('The index of the audit log is changed by another process');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#indexer.close();
    this.#index?.close();
  }

  async #look(): Promise<void> {
    let pauseMs = this.#lookEveryMs;
    const isIdle = this.#isIdle();
    const { lag = Infinity } = this;
    if (lag > (isIdle ? 0 : mostBehind)) {
      const began = performance.now();
      try {
        const { size, of } = await this.#ask(() => this.#indexer.step(stepRecords));
        pauseMs = size < of ? performance.now() - began : pauseMs;
      } catch {
        // A caller of `catchUp` gets the error.
        this.#failures += 1;
        pauseMs *= 2 ** Math.min(this.#failures, mostDoubled);
      }
    }
    if (!this.#isClosed) {
      this.#timer = this.#after(pauseMs);
    }
  }

  #isIdle(): boolean {
    const { written, queued } = this.#state();
    const last = this.#lastLook;
    this.#lastLook = { written, atMs: performance.now() };
    const seconds = (this.#lastLook.atMs - last.atMs) / 1000;
    return queued === 0 && written - last.written < idleRecords * seconds;
  }

  async #ask(how: () => Promise<Indexed>): Promise<Indexed> {
    const { written } = this.#state();
    const indexed = await how();
    this.#failures = 0;
    this.#known = { ...indexed, written };
    return indexed;
  }

  #since(written: number): number {
    return this.#state().written - written;
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), ms).unref();
  }
}
