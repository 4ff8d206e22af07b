import { Worker } from 'node:worker_threads';
import type { LockedLogOptions } from '../folder/locked-log.ts';
import type { StartBackend, WriterReply, WriterRequest } from './log-backend.ts';
import { layOutEntries, type MovedRecords } from '../folder/record-frame.ts';

/** As it goes to the thread: records as they stand in the log, whose memory moves there. */
export type ThreadRequest =
  | { readonly kind: 'append'; readonly parts: readonly MovedRecords[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

/** What the thread says; when it has opened the log, how many records that has, too. */
export type ThreadReply =
  | Exclude<WriterReply, { kind: 'opened' }>
  | (Extract<WriterReply, { kind: 'opened' }> & { readonly size: number });

/** What comes during a sync waits at the thread, which takes it into the next group without asking. */
const mostRequests = 8;

/** A backend that writes the log of a data folder in a separate thread, since a disk sync takes milliseconds. */
export function threadBackend(settings: LockedLogOptions): StartBackend {
  return ({ reply, ended }) => {
    // .js when built, .ts in tests and tools, where Node strips the types.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./log-thread.worker.${extension}`, import.meta.url), {
      workerData: settings,
      // As the system shows it beside what the thread uses.
      name: 'audit log',
      // Blocks of records come and go: a small young generation would be collected all the time.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
      // From source the packages of the workspace are read from theirs.
      ...(extension === 'ts' && { execArgv: ['--conditions=@caregate/source'] }),
    });
    let failure: Error | undefined;
    let logId = '';
    /** Number of the next record: nobody else writes this log. */
    let next = 0;
    worker.on('message', (message: ThreadReply) => {
      if (message.kind === 'opened') {
        ({ logId, size: next } = message);
      }
      reply(message);
    });
    worker.on('error', (error) => {
      failure = error as Error;
    });
    worker.on('exit', () => {
      ended(failure);
    });
    const post = (request: ThreadRequest, moved: ArrayBuffer[] = []): void => {
      worker.postMessage(request, moved);
    };
    return {
      mostRequests,
      ask: (request: WriterRequest) => {
        if (request.kind === 'append') {
          const { serverId } = settings;
          const parts = layOutEntries(next, request.records, { logId, serverId });
          next += request.records.length;
          post(
            { kind: 'append', parts },
            parts.map(({ bytes }) => bytes.buffer),
          );
        } else {
          post(request);
        }
      },
    };
  };
}
