import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { startWorker } from '../asked-thread.ts';
import type { AuditLog, AuditLogOptions } from './audit-log.ts';
import { startWriter } from './audit-writer.ts';
import { serveActs } from './act-socket.ts';
import { threadBackend } from './thread-backend.ts';
import { verifyInThread } from './verify-thread.ts';

/**
 * Opens the log of an existing data folder after the checks of a start, and serves commands on its socket. Creates the log and
 * its key if there is neither, and nothing shows that there was.
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
    acts = await serveActs(folder, log);
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
