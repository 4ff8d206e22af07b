import type { KeyObject } from 'node:crypto';
import type { AppendOptions } from '../log/append-log.ts';
import { AuditBrokenError } from '../log/audit-broken-error.ts';
import type { BackendEvents, LogBackend, StartBackend, WorkerRequest } from '../worker-messages.ts';
import { openSession, type AuditSession, type SessionSettings } from './audit-session.ts';
import { PostgresLog } from './postgres-log.ts';
import type { LogLock } from './acquire-log.ts';
import type { AuditLog, AuditLogOptions } from '../audit-log.ts';
import { appendOptions, startWriter } from '../audit-writer.ts';
import { loadOrMakeKey } from '../log/audit-key.ts';

interface PostgresBackendSettings extends AppendOptions, SessionSettings {
  readonly key: KeyObject;
}

/** A backend that writes the log to PostgreSQL over its own connection; no thread, since the server does the disk I/O. */
function postgresBackend(settings: PostgresBackendSettings): StartBackend {
  let held: LogLock | undefined;
  return (events) =>
    new PostgresBackend(settings, events, {
      before: held,
      opened: (now) => {
        held = now;
      },
    });
}

interface Memory {
  readonly before: LogLock | undefined;
  readonly opened: (held: LogLock) => void;
}

class PostgresBackend implements LogBackend {
  readonly gathers = true;
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

  ask(request: WorkerRequest): void {
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
    opened({ logId: this.#log.logId, pid: this.#session.pid });
    const { logId, verifierKey } = this.#log;
    this.#reply({ kind: 'opened', logId, verifierKey });
  }

  async #answer(request: WorkerRequest): Promise<void> {
    if (this.#log === undefined || this.#session === undefined) {
      throw new Error('The log is not open');
    }
    switch (request.kind) {
      case 'append':
        this.#reply({ kind: 'appended', firstSeq: await this.#log.append(request.records) });
        break;
      case 'checkpoint':
        this.#reply({ kind: 'signed', note: await this.#log.checkpoint() });
        break;
      case 'close':
        this.#reply({ kind: 'closed' });
        this.#ended = true;
        await this.#session.close().catch(() => undefined);
        this.#events.ended(undefined);
        break;
    }
  }

  #reply(message: Parameters<BackendEvents['reply']>[0]): void {
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
    this.#reply({
      kind: 'failed',
      message: error instanceof Error ? error.message : 'unknown',
      ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
    });
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
 */
export async function openPostgresAuditLog(
  url: string,
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const { busyTimeoutMs: timeoutMs = 10_000 } = options;
  const key = loadOrMakeKey(dataDir);
  return await startWriter(
    postgresBackend({ ...appendOptions(options), url, timeoutMs, key }),
    options,
  );
}
