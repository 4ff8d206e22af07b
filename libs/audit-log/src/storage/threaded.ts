import { startThread } from '../start-thread.ts';
import { reviveError, type Failure } from '../thread-errors.ts';
import type { Members } from '../record.ts';
import type { ReadableStorage } from './storage.ts';

type Method = Exclude<keyof ReadableStorage, 'close'>;

export interface ReadRequest {
  readonly method: Method;
  readonly values: readonly unknown[];
}

export type ReadReply = { readonly result: unknown } | { readonly failure: Failure };

/** Reads a log on SQLite in a thread, so that a long search does not hold up whoever else waits for an answer. */
export function readInThread(file: string, members: Members): ReadableStorage {
  const worker = startThread('read', { file, members });
  const waiting: { resolve: (result: unknown) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | undefined;
  worker.on('message', (reply: ReadReply) => {
    const one = waiting.shift();
    if ('failure' in reply) {
      one?.reject(reviveError(reply.failure));
    } else {
      one?.resolve(reviveBytes(reply.result));
    }
  });
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) {
      reject(ended);
    }
  };
  worker.on('error', (error) => {
    end(error as Error);
  });
  worker.on('exit', () => {
    end(new Error('The thread that reads the audit log ended'));
  });
  // An open log alone keeps no process running.
  worker.unref();
  const ask = <M extends Method>(method: M, ...values: unknown[]): ReturnType<ReadableStorage[M]> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) {
        throw ended;
      }
      waiting.push({ resolve, reject });
      worker.ref();
      worker.postMessage({ method, values } satisfies ReadRequest);
    }).finally(() => {
      if (waiting.length === 0) {
        worker.unref();
      }
    }) as ReturnType<ReadableStorage[M]>;
  return {
    logs: () => ask('logs'),
    newestHead: (logId) => ask('newestHead', logId),
    heads: (...values) => ask('heads', ...values),
    records: (...values) => ask('records', ...values),
    recordsWithCopies: (...values) => ask('recordsWithCopies', ...values),
    range: (logId) => ask('range', logId),
    nodes: (...values) => ask('nodes', ...values),
    find: (search) => ask('find', search),
    close: async () => {
      await worker.terminate();
    },
  };
}

/** A message has bytes as `Uint8Array`. */
function reviveBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  if (Array.isArray(value)) {
    return value.map(reviveBytes);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, reviveBytes(one)]));
  }
  return value;
}
