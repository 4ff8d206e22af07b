import type { AuditLog, AuditLogOptions, LogPlace } from './audit-log.ts';
import { openBackend } from './log-backend.ts';
import { openInThread } from './log-thread.ts';
import { openAppender } from './open-appender.ts';
import { PostgresStorage } from './storage/postgres.ts';
import { describeLogs } from './see-logs.ts';
import { AuditWriter } from './writer.ts';

const SEE_EVERY_MS = 3_600_000;

/**
 * Opens the log of a data folder, or begins it. On SQLite a thread commits; several processes may append.
 *
 * @throws LogRefusedError if the log or its key is not where it was, NoAuditLogError if none may be begun, AuditBrokenError if it is not
 *   the one that its key signed
 */
export async function openAuditLog(place: LogPlace, options: AuditLogOptions): Promise<AuditLog> {
  const { members, host, mayBegin, hadLog } = options;
  // Functions do not go to a thread.
  const shared = {
    members,
    host,
    hadLog,
    ...(mayBegin !== undefined && { mayBegin }),
  };
  if (place.postgres === undefined) {
    return new AuditWriter(await openInThread({ place, options: shared }), options);
  }
  const writer = new AuditWriter(await openBackend(place, shared), options);
  return watchOthers(writer, new PostgresStorage(place.postgres, options.members));
}

/** Replaces the signing key of a log. For commands. @throws as `openAuditLog`; AuditLogError */
export async function rotateKey(
  place: LogPlace,
  actorId: string,
  options: Pick<AuditLogOptions, 'members'>,
): Promise<{ readonly publicKey: string; readonly checkpoint: string }> {
  const { appender, storage } = await openAppender(place, { ...options, mayBegin: false });
  try {
    await appender.rotateKey(actorId);
    const { publicKey, checkpoint } = appender;
    return { publicKey, checkpoint };
  } finally {
    await storage.close();
  }
}

/** Records the newest heads of the database's other logs: at the start, every hour and at the end. */
async function watchOthers(writer: AuditWriter, storage: PostgresStorage): Promise<AuditLog> {
  let last = '';
  const see = async (): Promise<void> => {
    const record = await describeLogs(storage, writer.logId);
    const text = JSON.stringify(record?.details);
    if (record !== undefined && text !== last) {
      await writer.recordOwn(record);
      last = text;
    }
  };
  const seeUnlessLost = (): Promise<void> => see().catch(() => undefined);
  await seeUnlessLost();
  const timer = setInterval(() => void seeUnlessLost(), SEE_EVERY_MS).unref();
  const close = writer.close.bind(writer);
  writer.close = async () => {
    clearInterval(timer);
    await seeUnlessLost();
    await storage.close();
    await close();
  };
  return writer;
}
