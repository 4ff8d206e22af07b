import { resolve } from 'node:path';
import { startWorker } from '../asked-thread.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { logPaths } from '../folder/layout.ts';
import { requireKeyElsewhere } from '../folder/log-key.ts';
import type { AuditLog, AuditLogOptions } from '../writer/audit-log.ts';
import { startWriter } from '../writer/audit-writer.ts';
import {
  failureOf,
  type BackendEvents,
  type LogBackend,
  type StartBackend,
  type WriterReply,
  type WriterRequest,
} from '../writer/log-backend.ts';
import { verifyInThread } from '../writer/verify-thread.ts';
import { endSessions, type LogLock } from './acquire-log.ts';
import { openSession, type AuditSession, type SessionSettings } from './audit-session.ts';
import { shareKey } from './key-lock.ts';
import { KeptCheckpoints } from './kept-checkpoints.ts';
import { settledKey } from './settled-key.ts';
import { PostgresLog, type PostgresLogOptions } from './postgres-log.ts';

interface PostgresBackendSettings extends Omit<PostgresLogOptions, 'before'>, SessionSettings {
  readonly dataDir: string;
}

/** Writes over a connection of its own; needs no thread, since the server does the disk I/O. */
function postgresBackend(settings: PostgresBackendSettings, memory: Memory): StartBackend {
  return (events) => new PostgresBackend(settings, events, memory);
}

/** State that outlives a session. */
class Memory {
  #log: PostgresLog | undefined;
  #pids: number[] = [];

  /** The log and the sessions that may still hold it, also those lost before they opened it. */
  get lock(): LogLock | undefined {
    const log = this.#log;
    return log && { logId: log.identity.logId, pids: [...this.#pids], end: log.end };
  }

  began(pid: number): void {
    this.#pids.push(pid);
  }

  opened(pid: number, log: PostgresLog): void {
    this.#log = log;
    this.#pids = [pid];
  }

  closed(): void {
    this.#pids = [];
  }
}

class PostgresBackend implements LogBackend {
  readonly mostRequests = 1;
  readonly #settings: PostgresBackendSettings;
  readonly #events: BackendEvents;
  readonly #memory: Memory;
  #session: AuditSession | undefined;
  #log: PostgresLog | undefined;
  #ended = false;

  constructor(settings: PostgresBackendSettings, events: BackendEvents, memory: Memory) {
    this.#settings = settings;
    this.#events = events;
    this.#memory = memory;
    this.#open().catch((error: unknown) => {
      this.#fail(error);
    });
  }

  ask(request: WriterRequest): void {
    this.#answer(request).catch((error: unknown) => {
      this.#fail(error);
    });
  }

  async #open(): Promise<void> {
    const { dataDir, ...settings } = this.#settings;
    this.#session = await openSession(settings, (error) => {
      this.#fail(error);
    });
    const before = this.#memory.lock;
    const { pid } = this.#session;
    this.#memory.began(pid);
    const key = await settledKey(this.#session, dataDir);
    this.#log = await PostgresLog.open(this.#session, key, { ...settings, before });
    const { verifierKey, identity } = this.#log;
    const { logId } = identity;
    this.#memory.opened(pid, this.#log);
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
      case 'rotate':
        this.#reply({
          kind: 'kept',
          message: 'On PostgreSQL the key is replaced while no instance runs.',
        });
        break;
      case 'close':
        // The end of the session is no failure now.
        this.#ended = true;
        // The lock is free before the end is reported.
        await this.#session.close().then(
          () => {
            this.#memory.closed();
          },
          () => undefined,
        );
        this.#events.reply({ kind: 'closed' });
        this.#events.ended(undefined);
        break;
    }
  }

  async #append(
    log: PostgresLog,
    { texts }: Extract<WriterRequest, { kind: 'append' }>,
  ): Promise<void> {
    const began = performance.now();
    const firstSeq = await log.append(texts);
    const syncMs = performance.now() - began;
    this.#reply({ kind: 'appended', firstSeq, requests: 1, groups: 1, syncMs });
  }

  #reply(message: WriterReply): void {
    // Commits after the loss of the connection were reported as failed.
    if (!this.#ended) {
      this.#events.reply(message);
    }
  }

  /** The next session verifies the end before it appends. */
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

async function letGo({ url, timeoutMs }: SessionSettings, lock: LogLock): Promise<void> {
  try {
    const session = await openSession({ url, timeoutMs }, () => undefined);
    try {
      await endSessions(session, lock);
    } finally {
      await session.close();
    }
  } catch {
    // The next start waits for the lock.
  }
}

/**
 * Opens an unlocked log of the key in the folder, or creates what is missing; the tables must exist. `close` frees the log.
 *
 * @throws AuditBrokenError if its end is not valid, AuditLogError while a command replaces the key
 */
export async function openPostgresAuditLog(
  url: string,
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const { host, busyTimeoutMs: timeoutMs = 10_000, replicated } = options;
  const lock = shareKey(dataDir);
  try {
    requireKeyElsewhere(nodeDisk, logPaths(resolve(dataDir)));
    const kept = new KeptCheckpoints(dataDir, options.onKeptChange);
    const settings = { host, url, timeoutMs, dataDir, kept, replicated };
    const memory = new Memory();
    const log = await startWriter(postgresBackend(settings, memory), options);
    const close = log.close.bind(log);
    return Object.assign(log, {
      verify: async (share: number, signal?: AbortSignal) => {
        const { verifierKey } = log;
        const workerData = { url, key: verifierKey, outside: await log.checkpoint(), share };
        const worker = startWorker(import.meta.url, 'verify-postgres', { workerData });
        return await verifyInThread(worker, signal);
      },
      close: async () => {
        await close();
        const held = memory.lock;
        if (held !== undefined && held.pids.length > 0) {
          await letGo(settings, held);
          memory.closed();
        }
        await kept.settled();
        lock.release();
      },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
