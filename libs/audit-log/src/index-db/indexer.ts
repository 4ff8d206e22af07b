import { Worker } from 'node:worker_threads';

/** Answer of the thread: how far the index is, or why it is not. */
export type IndexerReply = { readonly size: number } | { readonly error: string };

interface Waiting {
  readonly resolve: (size: number) => void;
  readonly reject: (error: Error) => void;
}

/** Keeps the index of a data folder, in a thread of its own. */
export class Indexer {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #ended: Promise<void>;
  #size = 0;

  /** @param dataDir an absolute path to a folder with a log */
  constructor(dataDir: string) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./indexer.worker.${extension}`, import.meta.url), {
      workerData: dataDir,
      ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: IndexerReply) => {
      const waiting = this.#waiting.shift();
      if ('size' in reply) {
        this.#size = reply.size;
        waiting?.resolve(reply.size);
      } else {
        waiting?.reject(new Error(`The index of the audit log cannot be read: ${reply.error}`));
      }
    });
    this.#ended = new Promise((resolve) => {
      const end = (error?: unknown): void => {
        const reason = error instanceof Error ? error : new Error('The indexer ended');
        this.#waiting.splice(0).forEach(({ reject }) => {
          reject(reason);
        });
        resolve();
      };
      this.#worker.on('error', end);
      this.#worker.on('exit', end);
    });
  }

  /** Number of records that the index had when it last caught up. */
  get size(): number {
    return this.#size;
  }

  /** Resolves once the index has what the log had when this was called. */
  catchUp(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage('catch up');
    });
  }

  async close(): Promise<void> {
    this.#worker.postMessage('close');
    await this.#ended;
  }
}
