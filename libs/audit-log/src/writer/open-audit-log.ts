import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { startWorker } from '../asked-thread.ts';
import type { LockedLogOptions } from '../folder/locked-log.ts';
import { layOutTexts, type MovedRecords } from '../folder/record-frame.ts';
import type { AuditLog, AuditLogOptions } from './audit-log.ts';
import { startWriter } from './audit-writer.ts';
import { serveActs } from './act-socket.ts';
import type { StartBackend, WriterReply, WriterRequest } from './log-backend.ts';
import { verifyInThread } from './verify-thread.ts';

/**
 * Opens the log of an existing folder, or creates it if nothing shows that there was one. Serves commands on its socket.
 *
 * @throws LogRefusedError if a start refuses the log, or another process writes it
 */
export async function openAuditLog(
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const folder = resolve(dataDir);
  const { host = hostname(), busyTimeoutMs = 5000, hadLog } = options;
  const settings = { host, dataDir: folder, busyTimeoutMs, hadLog };
  const log = await startWriter(threadBackend(settings), options);
  let acts;
  try {
    acts = await serveActs(folder, log, options.validate);
  } catch (error) {
    await log.close();
    throw error;
  }
  const close = log.close.bind(log);
  return Object.assign(log, {
    verify: async (share: number, signal?: AbortSignal) => {
      const { verifierKey: key } = log;
      const workerData = { dataDir: folder, key, outside: await log.checkpoint(), share };
      return await verifyInThread(
        startWorker(import.meta.url, 'verify-folder', { workerData }),
        signal,
      );
    },
    close: async () => {
      await acts.close();
      await close();
    },
  });
}

export type ThreadRequest =
  | { readonly kind: 'append'; readonly part: MovedRecords }
  | Exclude<WriterRequest, { kind: 'append' }>;

export type ThreadReply =
  | Exclude<WriterReply, { kind: 'opened' }>
  | (Extract<WriterReply, { kind: 'opened' }> & { readonly size: number });

/** Queued at the thread during a sync, which takes them into the next group. */
const mostRequests = 8;

/** Writes the log of a data folder in a thread, since a sync takes milliseconds. */
function threadBackend(settings: LockedLogOptions): StartBackend {
  return ({ reply, ended }) => {
    const worker = startWorker(import.meta.url, 'log-thread', {
      workerData: settings,
      name: 'audit log',
      // Short-lived buffers: a small young generation would be collected all the time.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    let failure: Error | undefined;
    let next = 0;
    worker.on('message', (message: ThreadReply) => {
      if (message.kind === 'opened' || message.kind === 'rotated') {
        next = message.size;
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
          const part = layOutTexts(next, request.texts);
          next += part.count;
          post({ kind: 'append', part }, [part.bytes.buffer]);
        } else {
          post(request);
        }
      },
    };
  };
}
