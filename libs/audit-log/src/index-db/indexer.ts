import { resolve } from 'node:path';
import { AskedThread, startWorker } from '../asked-thread.ts';
import { AuditBrokenError, type Breach } from '../errors.ts';
import type { IndexedMembers } from './index-rows.ts';

export interface Indexed {
  readonly size: number;
  readonly of: number;
}

export interface IndexerData {
  readonly dataDir: string;
  readonly members: IndexedMembers;
}

export type IndexerRequest = 'catch up' | number;

export type IndexerReply =
  | Indexed
  | {
      readonly error: string;
      readonly breach?: Breach;
      readonly seq?: number | undefined;
    };

/** Keeps the index of a data folder in a thread, restarted on the next request if it ended. */
export class Indexer {
  readonly #indexed: IndexerData;
  #thread: AskedThread<IndexerRequest, IndexerReply>;
  #isClosed = false;

  constructor(dataDir: string, members: IndexedMembers) {
    this.#indexed = { dataDir: resolve(dataDir), members };
    this.#thread = this.#start();
  }

  /** Resolves once the index has all that the log has now. @throws AuditBrokenError if a record is missing */
  async catchUp(): Promise<number> {
    return (await this.#ask('catch up')).size;
  }

  step(most: number): Promise<Indexed> {
    return this.#ask(most);
  }

  /** Pending requests are rejected; SQLite rolls back its transaction. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.end();
  }

  async #ask(request: IndexerRequest): Promise<Indexed> {
    if (this.#isClosed) {
      throw new Error('The indexer is closed');
    }
    if (this.#thread.hasEnded) {
      this.#thread = this.#start();
    }
    const reply = await this.#thread.ask(request);
    if ('size' in reply) {
      return reply;
    }
    const { error, breach, seq } = reply;
    throw breach === undefined
      ? new Error(`The index of the audit log cannot be read: ${error}`)
      : new AuditBrokenError(breach, error, seq);
  }

  #start(): AskedThread<IndexerRequest, IndexerReply> {
    const worker = startWorker(import.meta.url, 'indexer', { workerData: this.#indexed });
    worker.unref();
    return new AskedThread(worker, 'The indexer ended');
  }
}
