import { openBackend } from './log-backend.ts';
import type { LogPlace } from './log-place.ts';
import { openInThread } from './log-thread.ts';
import { openAppender } from './open-appender.ts';
import type { Members, RecordText } from './record.ts';
import { describeLogs } from './see-logs.ts';
import { PostgresStorage } from './storage/postgres.ts';
import { AuditWriter } from './writer.ts';

const OTHER_LOGS_INTERVAL_MS = 3_600_000;

export interface AuditReceipt {
  readonly logId: string;
  readonly seq: number;
}

export interface AuditLogOptions {
  readonly members: Members;
  /**
   * First part of the log's name, `<host>/audit/<log id>`, which is fixed when the log is created. The host name of
   * this machine by default.
   */
  readonly host?: string | undefined;
  /** Whether to create a log if there is none; true by default. */
  readonly mayBegin?: boolean;
  /** Evidence that the data folder had a log. If present, no new log is created. */
  readonly hadLog?: string | undefined;
  /** Called when the log stops accepting records, and when it accepts them again. */
  readonly onStateChange?: (state: 'open' | 'interrupted', message: string) => void;
}

export interface AuditLog {
  readonly logId: string;
  /** The current signing key, as a C2SP verifier key. */
  readonly publicKey: string;
  state(): {
    readonly queued: number;
    readonly isInterrupted: boolean;
    readonly written: number;
    readonly commits: number;
    /** Duration of commits in milliseconds: the sum of all, and the latest. */
    readonly commitMs: { readonly sum: number; readonly last: number };
  };
  /**
   * Resolves when the record is durable.
   *
   * @throws AuditLogError if the record is not allowed; AuditUnavailableError if the log can't accept it. The caller
   * MUST NOT carry out an action whose record failed. Unless `isRefused` is true, the record may still appear in the
   * log.
   */
  record(text: RecordText): Promise<AuditReceipt>;
  /** Returns the newest signed head as a signed note. It covers the records of other processes too. */
  checkpoint(): Promise<string>;
  /**
   * Verifies the whole log in a worker thread.
   *
   * @param share the share of a processor's time to use, from 0 to 1
   * @throws AuditBrokenError at the first fault; another error if the signal aborts
   */
  verify(share: number, signal?: AbortSignal): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}

/**
 * Opens the log of a data folder, or creates it. On SQLite, a worker thread commits, and several processes may
 * append.
 *
 * @throws LogRefusedError if the log or its key is not where it was; NoAuditLogError if there is none and none may be
 * created; AuditBrokenError if the stored log differs from the one that its key signed
 */
export async function openAuditLog(place: LogPlace, options: AuditLogOptions): Promise<AuditLog> {
  const { onStateChange, ...shared } = options;
  const { members } = options;
  if (place.postgres === undefined) {
    const backend = await openInThread(place, shared);
    return new AuditWriter(backend, await backend.state(), { place, members, onStateChange });
  }
  const backend = await openBackend(place, shared);
  const writer = new AuditWriter(backend, await backend.state(), { place, members, onStateChange });
  return await watchOtherLogs(writer, new PostgresStorage(place.postgres, members));
}

/** Replaces the signing key of a log, for a command. @throws AuditLogError, and the errors of `openAuditLog` */
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

/** Records the newest heads of the database's other logs when it starts, every hour, and when the log is closed. */
async function watchOtherLogs(writer: AuditWriter, storage: PostgresStorage): Promise<AuditLog> {
  let last = '';
  const recordOtherLogs = async (): Promise<void> => {
    const record = await describeLogs(storage, writer.logId);
    const text = JSON.stringify(record?.details);
    if (record !== undefined && text !== last) {
      await writer.recordOwn(record);
      last = text;
    }
  };
  // After a lost connection, the next attempt records them.
  const tryRecordOtherLogs = (): Promise<void> => recordOtherLogs().catch(() => undefined);
  await tryRecordOtherLogs();
  const timer = setInterval(() => void tryRecordOtherLogs(), OTHER_LOGS_INTERVAL_MS).unref();
  const close = writer.close.bind(writer);
  writer.close = async () => {
    clearInterval(timer);
    await tryRecordOtherLogs();
    await storage.close();
    await close();
  };
  return writer;
}
