import { Worker } from 'node:worker_threads';

/** How far the index is: how many records it has, of how many in the log. */
export interface Indexed {
  readonly size: number;
  readonly of: number;
}

/** To catch up, with so many records at most if it is a number; to close. */
export type IndexerRequest = 'catch up' | number | 'close';

/** Answer of the thread: how far the index is, or why it is not. */
export type IndexerReply = Indexed | { readonly error: string };

interface Waiting {
  readonly resolve: (indexed: Indexed) => void;
  readonly reject: (error: Error) => void;
}

/** Keeps the index of a data folder, in a thread of its own. */
export class Indexer {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #ended: Promise<void>;

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
        waiting?.resolve(reply);
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

  /** Resolves once the index has what the log had when this was called. */
  async catchUp(): Promise<number> {
    return (await this.#ask('catch up')).size;
  }

  /** Takes in so many records at most. */
  step(most: number): Promise<Indexed> {
    return this.#ask(most);
  }

  async close(): Promise<void> {
    this.#worker.postMessage('close');
    await this.#ended;
  }

  #ask(asked: IndexerRequest): Promise<Indexed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(asked);
    });
  }
}
