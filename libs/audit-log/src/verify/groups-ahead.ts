import { availableParallelism } from 'node:os';
import { AskedThread, startWorker } from '../asked-thread.ts';
import type { LogIdentity } from '../note/checkpoint.ts';
import type { HashText } from '../tree/tree.ts';
import { mostBytes, type Chunk } from './folder-walk.ts';

export interface SentKeys {
  readonly identity: LogIdentity;
  /** The checkpoint of the log, which names its keys. */
  readonly note: string;
}

export interface CheckedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Hashes, concatenated. */
  readonly leaves: HashText;
  /** First records of groups with a seal by none of the keys. */
  readonly wrong: readonly number[];
}

export type ChunkAhead = Chunk & { readonly found?: Omit<CheckedBytes, 'bytes'> };

/** Chunks checked without threads: a short log is verified before they start. */
const fewest = 16;

/** Chunks in flight per thread. */
const mostAhead = 3;

/** More threads would wait for the one that checks records. */
const mostThreads = 2;

/** Hashes leaves and checks seals of a long log in threads, ahead of the caller. */
export class GroupsAhead {
  readonly #keys: SentKeys;
  readonly #threadsFrom: number;
  readonly #threads: GroupThread[] = [];

  constructor(
    identity: LogIdentity,
    note: string,
    threadsFrom: number = availableParallelism() > 1 ? fewest : Infinity,
  ) {
    this.#keys = { identity, note };
    this.#threadsFrom = threadsFrom;
  }

  async *chunks(chunks: Iterable<Chunk>): AsyncGenerator<ChunkAhead, void> {
    const pending: Promise<ChunkAhead>[] = [];
    let count = 0;
    try {
      for (const chunk of chunks) {
        if (count >= this.#threadsFrom) {
          const thread = this.#thread(count);
          pending.push(thread.check(chunk));
        }
        count += 1;
        if (count <= this.#threadsFrom) {
          yield chunk;
        } else if (pending.length >= mostAhead * this.#threads.length) {
          yield await (pending.shift() as Promise<ChunkAhead>);
        }
      }
      for (const each of pending) {
        yield await each;
      }
    } finally {
      await Promise.all(this.#threads.map((thread) => thread.end()));
    }
  }

  #thread(at: number): GroupThread {
    if (this.#threads.length === 0) {
      const count = Math.min(mostThreads, Math.max(1, availableParallelism() - 1));
      for (let started = 0; started < count; started += 1) {
        this.#threads.push(new GroupThread(this.#keys));
      }
    }
    return this.#threads[at % this.#threads.length] as GroupThread;
  }
}

class GroupThread {
  readonly #thread: AskedThread<Uint8Array, CheckedBytes>;

  constructor(keys: SentKeys) {
    const worker = startWorker(import.meta.url, 'groups-ahead', { workerData: keys });
    this.#thread = new AskedThread(worker, 'A verifying thread ended');
  }

  check(chunk: Chunk): Promise<ChunkAhead> {
    const { buffer, byteOffset, length } = chunk.bytes;
    // Only a whole buffer can be transferred.
    const sent =
      byteOffset === 0 && buffer.byteLength >= mostBytes
        ? new Uint8Array(buffer as ArrayBuffer, 0, length)
        : new Uint8Array(chunk.bytes);
    const checked = this.#thread
      .ask(sent, [sent.buffer])
      .then(({ bytes, ...found }): ChunkAhead => {
        return { ...chunk, bytes: Buffer.from(bytes.buffer, 0, length), found };
      });
    // The consumer sees the rejection; if it stopped, ignore it.
    checked.catch(() => undefined);
    return checked;
  }

  end(): Promise<void> {
    return this.#thread.end();
  }
}
