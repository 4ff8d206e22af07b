import { Worker } from 'node:worker_threads';
import type {
  StartBackend,
  WorkerReply,
  WorkerRequest,
  WorkerSettings,
} from './worker-messages.ts';

/** A backend that writes the log of a data folder in a separate thread, since a disk sync takes milliseconds. */
export function threadBackend(settings: WorkerSettings): StartBackend {
  return ({ reply, ended }) => {
    // .js when built, .ts in tests and tools, where Node strips the types.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./audit-writer.worker.${extension}`, import.meta.url), {
      workerData: settings,
      name: 'audit log',
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
