import { hostname } from 'node:os';
import { requireNotMoved } from '../database/sqlite/moved-folder.ts';
import { AuditUnavailableError, type AuditEntry, type AuditReceipt } from './audit-entry.ts';
import type { AuditLog, AuditLogOptions, AuditLogState } from './audit-log.ts';
import { ClockWatch } from './system-record.ts';
import { threadBackend } from './thread-backend.ts';
import type { AppendOptions, NewRecord } from './log/append-log.ts';
import { AuditBrokenError } from './log/audit-broken-error.ts';
import type { LogBackend, StartBackend, WorkerReply, WorkerRequest } from './worker-messages.ts';

/**
 * Opens the log `audit.db` of a data folder after verifying its tail (the records since the last checkpoint). Creates the
 * log and its key pair if they are missing.
 *
 * @throws AuditBrokenError if the tail fails verification
 */
export async function openAuditLog(
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const { busyTimeoutMs = 5000 } = options;
  requireNotMoved(dataDir);
  return await startWriter(
    threadBackend({ ...appendOptions(options), dataDir, busyTimeoutMs }),
    options,
  );
}

/** Starts a writer on the given backend. @throws AuditBrokenError */
export async function startWriter(
  startBackend: StartBackend,
  options: AuditLogOptions,
): Promise<AuditLog> {
  const writer = new AuditWriter(startBackend, options);
  await writer.open();
  return writer;
}

export function appendOptions(options: AuditLogOptions): AppendOptions {
  const { host = hostname(), serverId = host, checkpointEveryRecords = 1000 } = options;
  return { host, serverId, checkpointEveryRecords };
}

const mostRecords = 256;
// A page of a list has 500 patients: a batch of such records must not delay the next one.
const mostPatients = 4000;
const shortestPauseMs = 100;
const longestPauseMs = 1000;

interface Waiting<Work, Result> {
  readonly work: Work;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

type WaitingRecord = Waiting<NewRecord, AuditReceipt>;

class AuditWriter implements AuditLog {
  logId = '';
  verifierKey = '';
  readonly #startBackend: StartBackend;
  readonly #options: AuditLogOptions;
  readonly #queueLimit: number;
  readonly #clock = new ClockWatch();
  readonly #timer: NodeJS.Timeout;
  #queue: WaitingRecord[] = [];
  #inFlight: WaitingRecord[] = [];
  #notes: Waiting<'checkpoint', string>[] = [];
  #backend: LogBackend | undefined;
  #busy = true;
  #latched = false;
  #soon: NodeJS.Immediate | undefined;
  #closing: Promise<void> | undefined;
  #closed: () => void = nothing;
  #pauseMs = shortestPauseMs;
  #written = 0;
  #commits = 0;

  constructor(startBackend: StartBackend, options: AuditLogOptions) {
    this.#startBackend = startBackend;
    this.#options = options;
    this.#queueLimit = options.queueLimit ?? 10_000;
    this.#timer = setInterval(() => {
      this.checkpoint().catch(() => undefined);
    }, options.checkpointEveryMs ?? 60_000);
    this.#timer.unref();
  }

  /** Starts a backend; rejects if it cannot open the log. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      const reply = (message: WorkerReply): void => {
        if (message.kind === 'opened') {
          ({ logId: this.logId, verifierKey: this.verifierKey } = message);
          resolve();
        } else if (message.kind === 'failed') {
          failure = failureOf(message);
        }
        this.#onReply(message);
      };
      const ended = (unsaid: Error | undefined): void => {
        failure ??= unsaid ?? new Error('The audit writer stopped');
        reject(failure);
        this.#onExit(failure);
      };
      this.#backend = this.#startBackend({ reply, ended });
    });
  }

  record(entry: AuditEntry): Promise<AuditReceipt> {
    if (this.#closing !== undefined) {
      return Promise.reject(new AuditUnavailableError('The audit log is closed', 1));
    }
    if (this.#latched) {
      return Promise.reject(this.#unavailable());
    }
    if (this.#queue.length >= this.#queueLimit) {
      return Promise.reject(new AuditUnavailableError('The audit queue is full', 1));
    }
    return this.#enqueue(entry);
  }

  checkpoint(): Promise<string> {
    if (this.#latched || this.#closing !== undefined) {
      return Promise.reject(this.#unavailable());
    }
    return new Promise((resolve, reject) => {
      this.#notes.push({ work: 'checkpoint', resolve, reject });
      this.#pump();
    });
  }

  state(): AuditLogState {
    return {
      queued: this.#queue.length + this.#inFlight.length,
      latched: this.#latched,
      written: this.#written,
      commits: this.#commits,
    };
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      clearInterval(this.#timer);
      this.#notes.push({ work: 'checkpoint', resolve: nothing, reject: nothing });
      this.#closing = new Promise((resolve) => {
        this.#closed = resolve;
      });
      if (this.#backend === undefined) {
        this.#closed();
      }
      this.#pump();
    }
    return this.#closing;
  }

  #enqueue(entry: AuditEntry): Promise<AuditReceipt> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work: { entry, recordedAtUs: Date.now() * 1000 }, resolve, reject });
      if (this.#backend?.gathers === true) {
        this.#pumpSoon();
      } else {
        this.#pump();
      }
    });
  }

  /** Sends after all records of this tick: responses come in groups, and the first must not become a batch of one. */
  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.#pump();
    });
  }

  /** Sends the next request to the backend if it is idle: records queued during the last sync are the next batch. */
  #pump(): void {
    if (this.#busy || this.#backend === undefined) {
      return;
    }
    const step = this.#closing === undefined ? this.#clock.step() : undefined;
    if (step !== undefined) {
      this.#enqueue(step).catch(nothing);
      return;
    }
    if (this.#queue.length > 0) {
      this.#inFlight = this.#nextBatch();
      this.#ask({ kind: 'append', records: this.#inFlight.map(({ work }) => work) });
    } else if (this.#notes.length > 0) {
      this.#ask({ kind: 'checkpoint' });
    } else if (this.#closing !== undefined) {
      this.#ask({ kind: 'close' });
    }
  }

  #nextBatch(): WaitingRecord[] {
    let [count, patients] = [0, 0];
    for (const { work } of this.#queue) {
      patients += work.entry.patients.length;
      if (count > 0 && (count >= mostRecords || patients > mostPatients)) {
        break;
      }
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #ask(request: WorkerRequest): void {
    this.#busy = true;
    this.#backend?.ask(request);
  }

  #onReply(reply: WorkerReply): void {
    switch (reply.kind) {
      case 'opened':
        if (this.#latched) {
          this.#latched = false;
          this.#options.onStateChange?.('open', 'The audit log accepts records again');
        }
        break;
      case 'appended': {
        const batch = this.#inFlight;
        this.#inFlight = [];
        this.#written += batch.length;
        this.#commits += 1;
        this.#pauseMs = shortestPauseMs;
        batch.forEach(({ resolve }, at) => {
          resolve({ logId: this.logId, seq: reply.firstSeq + at });
        });
        break;
      }
      case 'signed':
        this.#notes.splice(0).forEach(({ resolve }) => {
          resolve(reply.note);
        });
        break;
      case 'failed':
        this.#latch(reply.message);
        return;
      case 'closed':
        return;
    }
    this.#busy = false;
    this.#pump();
  }

  /** Rejects records until a new backend has opened the log and verified its tail. */
  #latch(message: string): void {
    this.#busy = true;
    const isNew = !this.#latched;
    this.#latched = true;
    const waiting = [...this.#inFlight, ...this.#queue, ...this.#notes];
    this.#inFlight = [];
    this.#queue = [];
    this.#notes = [];
    const error = this.#unavailable();
    waiting.forEach(({ reject }) => {
      reject(error);
    });
    if (isNew && this.logId !== '' && this.#closing === undefined) {
      this.#options.onStateChange?.('latched', `The audit log stopped: ${message}`);
    }
  }

  #onExit(failure: Error): void {
    this.#backend = undefined;
    if (this.#closing !== undefined) {
      this.#latch(failure.message);
      this.#closed();
      return;
    }
    if (this.logId === '') {
      clearInterval(this.#timer);
      return;
    }
    this.#latch(failure.message);
    setTimeout(() => {
      if (this.#closing === undefined) {
        // If it fails again, its exit triggers the next attempt.
        this.open().catch(nothing);
      }
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #unavailable(): AuditUnavailableError {
    return new AuditUnavailableError(
      'The audit log cannot be written',
      Math.ceil(this.#pauseMs / 1000),
    );
  }
}

function failureOf(reply: Extract<WorkerReply, { kind: 'failed' }>): Error {
  return reply.breach === undefined
    ? new Error(reply.message)
    : new AuditBrokenError(reply.breach, reply.message, reply.seq);
}

function nothing(): void {
  // The caller has already been informed.
}
