import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { AuditLog, AuditLogOptions } from './audit-log.ts';
import { startWriter } from './audit-writer.ts';
import { serveActs } from './act-socket.ts';
import { threadBackend } from './thread-backend.ts';

/** First part of the name of a new log, and the instance that writes. */
export function namesOf({ host = hostname(), serverId = host }: AuditLogOptions): {
  readonly host: string;
  readonly serverId: string;
} {
  return { host, serverId };
}

/**
 * Opens the log of an existing data folder after the checks of a start, and takes the acts of commands through its socket.
 * Creates the log and its key pair if the folder has neither, and nothing shows that it had.
 *
 * @throws LogRefusedError if the log is not as it was left, or another process writes it
 */
export async function openAuditLog(
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const folder = resolve(dataDir);
  const { busyTimeoutMs = 5000, hadLog } = options;
  const settings = { ...namesOf(options), dataDir: folder, busyTimeoutMs, hadLog };
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
    close: async () => {
      await acts.close();
      await close();
    },
  });
}
