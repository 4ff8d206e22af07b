import { openBackend, openInThread } from './log-backend.ts';
import type { LogPlace } from './log-place.ts';
import { openAppender } from './open-appender.ts';
import type { Members, RecordText } from './record.ts';
import { describeLogs } from './see-logs.ts';
import { PostgresStorage } from './storage/postgres.ts';
import { AuditWriter } from './writer.ts';

const SEE_EVERY_MS = 3_600_000;

export interface AuditReceipt {
  readonly logId: string;
  readonly seq: number;
}

export interface AuditLogOptions {
  readonly members: Members;
  /** First part of the name, `<host>/audit/<log id>`, fixed when the log begins. Default: the name of this machine. */
  readonly host?: string | undefined;
  /** Whether a log is begun where there is none. Default: true. */
  readonly mayBegin?: boolean;
  /** What shows that the folder had a log: then none is begun. */
  readonly hadLog?: string | undefined;
  /** Called when the log stops taking records, and when it takes them again. */
  readonly onStateChange?: (state: 'open' | 'interrupted', message: string) => void;
}

export interface AuditLog {
  readonly logId: string;
  /** The key that signs now, as a C2SP verifier key. */
  readonly publicKey: string;
  state(): {
    readonly queued: number;
    /** The log takes no records. */
    readonly isInterrupted: boolean;
    readonly written: number;
    readonly commits: number;
    /** How long commits took, in milliseconds. */
    readonly commitMs: { readonly sum: number; readonly last: number };
  };
  /**
   * Resolves once the record is durable.
   *
   * @throws AuditLogError if it may not be recorded; AuditUnavailableError if the log cannot take it: what is recorded MUST NOT
   *   take effect. Unless it says `isRefused`, the record may still appear in the log.
   */
  record(text: RecordText): Promise<AuditReceipt>;
  /** The newest signed head, also of what other processes appended, as a signed note. */
  checkpoint(): Promise<string>;
  /**
   * Verifies the whole log in a thread.
   *
   * @param share of a processor's time that it may take, from 0 to 1
   * @throws AuditBrokenError at the first fault; another error if the signal ends it
   */
  verify(share: number, signal?: AbortSignal): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}

/**
 * Opens the log of a data folder, or begins it. On SQLite a thread commits; several processes may append.
 *
 * @throws LogRefusedError if the log or its key is not where it was, NoAuditLogError if none may be begun, AuditBrokenError if it is not
 *   the one that its key signed
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
  return await watchOthers(writer, new PostgresStorage(place.postgres, members));
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
  // A lost connection delays it to the next time.
  const trySee = (): Promise<void> => see().catch(() => undefined);
  await trySee();
  const timer = setInterval(() => void trySee(), SEE_EVERY_MS).unref();
  const close = writer.close.bind(writer);
  writer.close = async () => {
    clearInterval(timer);
    await trySee();
    await storage.close();
    await close();
  };
  return writer;
}
