import { Worker } from 'node:worker_threads';
import type {
  StartBackend,
  WorkerReply,
  WorkerRequest,
  WorkerSettings,
} from './worker-messages.ts';

/** Keeps the log of a data folder in a thread of its own: a sync to disk takes milliseconds. */
export function inThread(settings: WorkerSettings): StartBackend {
  return ({ reply, ended }) => {
    // As built and, in tests and tools, as written: Node strips the types of the thread's files by itself.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./audit-writer.worker.${extension}`, import.meta.url), {
      workerData: settings,
    });
    let failure: Error | undefined;
    worker.on('message', (message: WorkerReply) => {
      reply(message);
    });
    worker.on('error', (error) => {
      failure = error as Error;
    });
    worker.on('exit', () => {
      ended(failure);
    });
    return {
      gathers: false,
      ask: (request: WorkerRequest) => {
        worker.postMessage(request);
      },
    };
  };
}
