import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AuditBrokenError, type Breach } from '../errors.ts';

export interface Indexed {
  readonly size: number;
  readonly of: number;
}

export type IndexerRequest = 'catch up' | number;

export type IndexerReply =
  | Indexed
  | {
      readonly error: string;
      readonly breach?: Breach;
      readonly seq?: number | undefined;
    };

interface Waiting {
  readonly resolve: (indexed: Indexed) => void;
  readonly reject: (error: Error) => void;
}

/** Keeps the index of a data folder in a thread, restarted on the next request if it ended. */
export class Indexer {
  readonly #dataDir: string;
  #thread: IndexThread;
  #isClosed = false;

  constructor(dataDir: string) {
    this.#dataDir = resolve(dataDir);
    this.#thread = new IndexThread(this.#dataDir);
  }

  /** Resolves once the index has all that the log has now. @throws AuditBrokenError if a record is missing */
  async catchUp(): Promise<number> {
    return (await this.#ask('catch up')).size;
  }

  /** Indexes at most this many records. */
  step(most: number): Promise<Indexed> {
    return this.#ask(most);
  }

  /** Pending requests are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.end();
  }

  async #ask(request: IndexerRequest): Promise<Indexed> {
    if (this.#isClosed) {
      throw new Error('The indexer is closed');
    }
    if (this.#thread.hasEnded) {
      this.#thread = new IndexThread(this.#dataDir);
    }
    return await this.#thread.ask(request);
  }
}

class IndexThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #hasEnded = false;

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
        const { error, breach, seq } = reply;
        waiting?.reject(
          breach === undefined
            ? new Error(`The index of the audit log cannot be read: ${error}`)
            : new AuditBrokenError(breach, error, seq),
        );
      }
    });
    const end = (reason: Error): void => {
      this.#hasEnded = true;
      this.#waiting.splice(0).forEach(({ reject }) => {
        reject(reason);
      });
    };
    this.#worker.on('error', end);
    this.#worker.on('exit', () => {
      end(new Error('The indexer ended'));
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  ask(request: IndexerRequest): Promise<Indexed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  /** SQLite rolls back its transaction. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
