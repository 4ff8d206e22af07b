import { parentPort, workerData } from 'node:worker_threads';
import type { Members } from './record.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import type { ReadReply, ReadRequest } from './storage/threaded.ts';
import { describeError } from './thread-errors.ts';

const { file, members } = workerData as { readonly file: string; readonly members: Members };

const storage = new SqliteStorage(file, members, { readOnly: true });

async function answer({ method, values }: ReadRequest): Promise<void> {
  let reply: ReadReply;
  try {
    const read = storage[method].bind(storage) as (...all: readonly unknown[]) => Promise<unknown>;
    reply = { result: await read(...values) };
  } catch (error) {
    reply = { failure: describeError(error) };
  }
  parentPort?.postMessage(reply);
}

// Replies come in the order of the requests: each read ends before the next begins.
parentPort?.on('message', (request: ReadRequest) => void answer(request));
