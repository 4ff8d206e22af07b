import { setTimeout as sleep } from 'node:timers/promises';
import { makeBatch, type Appender } from './appender.ts';
import type { AuditLogOptions } from './audit-log.ts';
import { AuditBrokenError, AuditLogError, AuditUnavailableError } from './errors.ts';
import type { LogPlace } from './log-place.ts';
import { openAppender } from './open-appender.ts';
import type { RecordText } from './record.ts';
import type { LogStorage } from './storage/storage.ts';

/** How long records wait for an unreachable storage, in milliseconds. */
const RETRY_MS = 5000;
const PAUSE_MS = 20;

/** Options that can be sent to a worker thread. Functions can't. */
export type LogOptions = Omit<AuditLogOptions, 'onStateChange'>;

export interface LogState {
  readonly logId: string;
  readonly publicKey: string;
  readonly checkpoint: string;
  /** Time of the newest record, in milliseconds since 1970. */
  readonly lastTimeMs: number;
  /** Number of the first record that the call appended. */
  readonly first: number;
}

/** An open log. Callers MUST NOT make two calls at a time. */
export interface LogBackend {
  state(): Promise<LogState>;
  /**
   * Appends records. After a lost connection, it finds out whether the commit succeeded before it repeats it.
   *
   * @throws AuditUnavailableError, whose `isRefused` says whether the records may still appear; AuditBrokenError;
   * AuditLogError
   */
  append(texts: readonly RecordText[]): Promise<LogState>;
  /** Reads the records that other processes appended. */
  refresh(): Promise<LogState>;
  /** Like `refresh`, but also tests whether the storage accepts a commit. */
  probe(): Promise<LogState>;
  close(): Promise<void>;
}

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
          throw toUnavailableError(error, { isRefused: false });
        });
        if (found === undefined) {
          throw toUnavailableError(error, { isRefused: true });
        }
        return found;
      }
      if (performance.now() > until) {
        throw toUnavailableError(error, { isRefused: false });
      }
      await sleep(PAUSE_MS);
    }
  }
}

function toUnavailableError(
  cause: unknown,
  { isRefused }: { isRefused: boolean },
): AuditUnavailableError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AuditUnavailableError(`The audit log cannot be written: ${why}`, { isRefused, cause });
}
