import { startWorker } from '../asked-thread.ts';
import type { LockedLogOptions } from '../folder/locked-log.ts';
import type { StartBackend, WriterReply, WriterRequest } from './log-backend.ts';
import { layOutEntries, type MovedRecords } from '../folder/record-frame.ts';

/** Encoded records, whose buffers are transferred. */
export type ThreadRequest =
  | { readonly kind: 'append'; readonly parts: readonly MovedRecords[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

/** `opened` also has the size. */
export type ThreadReply =
  | Exclude<WriterReply, { kind: 'opened' }>
  | (Extract<WriterReply, { kind: 'opened' }> & { readonly size: number });

/** Queued at the thread during a sync, which takes them into the next group. */
const mostRequests = 8;

/** Writes the log of a data folder in a thread, since a sync takes milliseconds. */
export function threadBackend(
  settings: LockedLogOptions & { readonly host: string },
): StartBackend {
  return ({ reply, ended }) => {
    const worker = startWorker(import.meta.url, 'log-thread', {
      workerData: settings,
      name: 'audit log',
      // Short-lived buffers: a small young generation would be collected all the time.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    let failure: Error | undefined;
    let logId = '';
    /** Number of the next record. */
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
          const parts = layOutEntries(next, request.records, { logId, serverId: settings.host });
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
