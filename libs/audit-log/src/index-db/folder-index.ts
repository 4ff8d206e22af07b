import type { LogReader } from '../folder/log-reader.ts';
import { IdleIndexing } from './idle-indexing.ts';
import { Indexer } from './indexer.ts';
import { LogIndex } from './log-index.ts';

/** The index of the log that this process writes, kept up to date in a thread. */
export class FolderIndex {
  readonly #dataDir: string;
  readonly #log: LogReader;
  readonly #indexer: Indexer;
  readonly #indexing: IdleIndexing;
  #index: LogIndex | undefined;

  /** @param state of the writer: while many records come, only readers wait for the index */
  constructor(
    dataDir: string,
    log: LogReader,
    state: () => { readonly written: number; readonly queued: number },
  ) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#indexer = new Indexer(dataDir);
    this.#indexing = new IdleIndexing(this.#indexer, state);
  }

  /** Indexes the log of a folder anew, also while it is written. Returns the number of its records. */
  static async rebuild(
    dataDir: string,
    log: LogReader,
    onProgress: (records: number, of: number) => void,
  ): Promise<number> {
    const index = LogIndex.of(dataDir, log);
    try {
      await index.rebuild(onProgress);
      return index.size;
    } finally {
      index.close();
    }
  }

  /** Records that are not indexed yet; undefined until it is known. */
  get lag(): number | undefined {
    return this.#indexing.lag;
  }

  /** The index with all records that the log had at the call. */
  async caughtUp(): Promise<LogIndex> {
    let size = await this.#indexing.catchUp();
    for (let tries = 0; tries < 3; tries += 1) {
      this.#index ??= LogIndex.of(this.#dataDir, this.#log);
      if (this.#index.size >= size && !this.#index.wasReplaced()) {
        return this.#index;
      }
      // It was made again in another file.
      this.#index.close();
      this.#index = undefined;
      size = await this.#indexing.catchUp();
    }
    throw new Error('The index of the audit log is changed by another process');
  }

  async close(): Promise<void> {
    this.#indexing.close();
    await this.#indexer.close();
    this.#index?.close();
  }
}
