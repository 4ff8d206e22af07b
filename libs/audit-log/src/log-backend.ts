import { setTimeout as sleep } from 'node:timers/promises';
import { makeBatch, type Appender } from './appender.ts';
import type { AuditLogOptions } from './audit-log.ts';
import { AuditBrokenError, AuditLogError, AuditUnavailableError } from './errors.ts';
import type { LogPlace } from './log-place.ts';
import { openAppender } from './open-appender.ts';
import type { RecordText } from './record.ts';
import type { LogStorage } from './storage/storage.ts';
import { Thread } from './thread.ts';

/** How long records wait for a lost storage, in milliseconds. */
const RETRY_MS = 5000;
const PAUSE_MS = 20;

/** Functions cannot be sent to a thread. */
export type LogOptions = Omit<AuditLogOptions, 'onStateChange'>;

/** The log after a call. */
export interface LogState {
  readonly logId: string;
  readonly publicKey: string;
  readonly checkpoint: string;
  /** The time of the newest record. */
  readonly lastTimeMs: number;
  /** Number of the first record that was appended. */
  readonly first: number;
}

/** An opened log. One call at a time. */
export interface LogBackend {
  state(): Promise<LogState>;
  /**
   * Appends records, after a lost connection too: a commit whose outcome is unknown is looked up before it is repeated.
   *
   * @throws AuditUnavailableError, which says whether the records can still appear; AuditBrokenError; AuditLogError
   */
  append(texts: readonly RecordText[]): Promise<LogState>;
  /** Reads what other processes appended. */
  refresh(): Promise<LogState>;
  /** Does the same, and shows whether the storage takes a commit. */
  probe(): Promise<LogState>;
  close(): Promise<void>;
}

/** Opens a log on SQLite in a thread, whose commits wait for the disk. @throws as `openAppender` */
export async function openInThread(place: LogPlace, options: LogOptions): Promise<LogBackend> {
  const thread = new Thread({ kind: 'append', place, options });
  const backend = thread.proxy<LogBackend>(['state', 'append', 'refresh', 'probe']);
  try {
    await backend.state();
    return backend;
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

/** Opens a log in this thread. @throws as `openAppender` */
export async function openBackend(place: LogPlace, options: LogOptions): Promise<LogBackend> {
  const { appender, storage } = await openAppender(place, options);
  const describe = (first = appender.size): LogState => {
    const { logId, publicKey, checkpoint, lastTimeMs } = appender;
    return { logId, publicKey, checkpoint, lastTimeMs, first };
  };
  return {
    state: () => Promise.resolve(describe()),
    append: async (texts) => describe(await append(appender, storage, texts)),
    refresh: async () => {
      await appender.refresh();
      return describe();
    },
    probe: async () => {
      await appender.lookUp([]);
      return describe();
    },
    close: () => storage.close(),
  };
}

/** @returns the number of the first record */
async function append(
  appender: Appender,
  storage: LogStorage,
  texts: readonly RecordText[],
): Promise<number> {
  const batch = makeBatch(texts);
  const until = performance.now() + RETRY_MS;
  for (;;) {
    try {
      return await appender.append(batch);
    } catch (error) {
      if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
        throw error;
      }
      if (!storage.isTransient(error)) {
        const found = await appender.lookUp(batch).catch(() => {
          throw unavailable(error, { isRefused: false });
        });
        if (found === undefined) {
          throw unavailable(error, { isRefused: true });
        }
        return found;
      }
      if (performance.now() > until) {
        throw unavailable(error, { isRefused: false });
      }
      await sleep(PAUSE_MS);
    }
  }
}

function unavailable(cause: unknown, { isRefused }: { isRefused: boolean }): AuditUnavailableError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AuditUnavailableError(`The audit log cannot be written: ${why}`, { isRefused, cause });
}
