import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import { loadOrMakeKey } from '../note/audit-key.ts';
import type { AuditLog, AuditLogOptions } from '../writer/audit-log.ts';
import { startWriter } from '../writer/audit-writer.ts';
import { failureOf } from '../writer/failure.ts';
import type {
  BackendEvents,
  LogBackend,
  StartBackend,
  WriterReply,
  WriterRequest,
} from '../writer/log-backend.ts';
import type { LogLock } from './acquire-log.ts';
import { openSession, type AuditSession, type SessionSettings } from './audit-session.ts';
import { DataFolderLock } from './break/data-folder-lock.ts';
import { KeptCheckpoints } from './kept-checkpoints.ts';
import { PostgresLog, type PostgresLogOptions } from './postgres-log.ts';

interface PostgresBackendSettings extends Omit<PostgresLogOptions, 'before'>, SessionSettings {
  readonly key: KeyObject;
}

/** A backend that writes the log to PostgreSQL over its own connection; no thread, since the server does the disk I/O. */
function postgresBackend(settings: PostgresBackendSettings): StartBackend {
  let held: { readonly lock: LogLock; readonly log: PostgresLog } | undefined;
  return (events) =>
    new PostgresBackend(settings, events, {
      before: held && { ...held.lock, end: held.log.end },
      opened: (lock, log) => {
        held = { lock, log };
      },
    });
}

interface Memory {
  readonly before: LogLock | undefined;
  readonly opened: (lock: LogLock, log: PostgresLog) => void;
}

class PostgresBackend implements LogBackend {
  readonly mostRequests = 1;
  readonly #settings: PostgresBackendSettings;
  readonly #events: BackendEvents;
  #session: AuditSession | undefined;
  #log: PostgresLog | undefined;
  #ended = false;

  constructor(settings: PostgresBackendSettings, events: BackendEvents, memory: Memory) {
    this.#settings = settings;
    this.#events = events;
    this.#open(memory).catch((error: unknown) => {
      this.#fail(error);
    });
  }

  ask(request: WriterRequest): void {
    this.#answer(request).catch((error: unknown) => {
      this.#fail(error);
    });
  }

  async #open({ before, opened }: Memory): Promise<void> {
    const { key, ...settings } = this.#settings;
    this.#session = await openSession(settings, (error) => {
      this.#fail(error);
    });
    this.#log = await PostgresLog.open(this.#session, key, { ...settings, before });
    const { logId, verifierKey } = this.#log.identity;
    opened({ logId, pid: this.#session.pid }, this.#log);
    this.#reply({ kind: 'opened', logId, verifierKey });
  }

  async #answer(request: WriterRequest): Promise<void> {
    if (this.#log === undefined || this.#session === undefined) {
      throw new Error('The log is not open');
    }
    switch (request.kind) {
      case 'append':
        await this.#append(this.#log, request);
        break;
      case 'checkpoint':
        this.#reply({ kind: 'signed', note: await this.#log.checkpoint() });
        break;
      case 'close':
        // What the end of the session tells is no failure.
        this.#ended = true;
        // Awaited before the end is told: whoever opens the log next finds its lock let go of.
        await this.#session.close().catch(() => undefined);
        this.#events.reply({ kind: 'closed' });
        this.#events.ended(undefined);
        break;
    }
  }

  async #append(
    log: PostgresLog,
    { records }: Extract<WriterRequest, { kind: 'append' }>,
  ): Promise<void> {
    const began = performance.now();
    const firstSeq = await log.append(records);
    const syncMs = performance.now() - began;
    this.#reply({ kind: 'appended', firstSeq, requests: 1, groups: 1, syncMs });
  }

  #reply(message: WriterReply): void {
    // Commits after the connection was considered lost have been reported as failed.
    if (!this.#ended) {
      this.#events.reply(message);
    }
  }

  /** Closes the session: the next one verifies the tail before it appends. */
  #fail(error: unknown): void {
    if (this.#ended) {
      return;
    }
    this.#reply(failureOf(error));
    this.#ended = true;
    this.#session?.destroy();
    this.#events.ended(error instanceof Error ? error : undefined);
  }
}

/**
 * Opens the log of this instance on PostgreSQL, whose tables must exist: an unlocked log that its key can sign, or a new
 * one. The key pair is in the data folder, created if missing; only the public key is stored in the database.
 *
 * @throws AuditBrokenError if the tail fails verification
 * @throws AuditLogError while `accept-break` replaces the key, or where that was interrupted
 */
export async function openPostgresAuditLog(
  url: string,
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const { host = hostname(), serverId = host, busyTimeoutMs: timeoutMs = 10_000 } = options;
  const lock = DataFolderLock.share(dataDir);
  try {
    const key = loadOrMakeKey(dataDir);
    const kept = new KeptCheckpoints(dataDir, options.onKeptChange);
    const settings = { host, serverId, url, timeoutMs, key, kept };
    const log = await startWriter(postgresBackend(settings), options);
    const close = log.close.bind(log);
    return Object.assign(log, {
      close: async () => {
        await close();
        await kept.settled();
        lock.release();
      },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
