import { requireText } from '../entry/record-text.ts';
import { AuditBrokenError, AuditLogError, AuditUnavailableError } from '../errors.ts';
import type { AuditLog, AuditLogOptions, AuditLogState, AuditReceipt } from './audit-log.ts';
import { ClockWatch } from './clock-watch.ts';
import { errorOf, type LogBackend, type StartBackend, type WriterReply } from './log-backend.ts';

export type Writer = Omit<AuditLog, 'verify'> & {
  /** Replaces the signing key, where the backend can; returns the first checkpoint by the new one. @throws as `record` */
  rotateKey(actorId: string): Promise<string>;
};

export async function startWriter(
  startBackend: StartBackend,
  options: AuditLogOptions,
): Promise<Writer> {
  const writer = new AuditWriter(startBackend, options);
  await writer.open();
  return writer;
}

const mostRecords = 256;
/** A larger batch would delay the next one. */
const mostCharacters = 2 ** 17;
const shortestPauseMs = 100;
const longestPauseMs = 1000;
const sayAgainMs = 60_000;

interface Waiting<Work, Result> {
  readonly work: Work;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

type WaitingRecord = Waiting<string, AuditReceipt>;

class AuditWriter implements Writer {
  logId = '';
  verifierKey = '';
  readonly #startBackend: StartBackend;
  readonly #options: AuditLogOptions;
  readonly #queueLimit: number;
  readonly #clock = new ClockWatch();
  readonly #timer: NodeJS.Timeout;
  #queue: WaitingRecord[] = [];
  #inFlight: WaitingRecord[][] = [];
  #notes: Waiting<'checkpoint', string>[] = [];
  #pendingNotes: Waiting<'checkpoint', string>[] = [];
  #rotation: Waiting<string, string> | undefined;
  #writtenAtRequest = 0;
  #pending: 'nothing' | 'checkpoint' | 'rotate' | 'close' = 'nothing';
  #backend: LogBackend | undefined;
  #isOpen = false;
  #latched = false;
  #reported = { reason: '', atMs: -Infinity };
  #soon: NodeJS.Immediate | undefined;
  #closing: Promise<void> | undefined;
  #closed: () => void = nothing;
  #pauseMs = shortestPauseMs;
  #written = 0;
  #signed = 0;
  #groups = 0;
  #syncMs = { sum: 0, last: 0 };

  constructor(startBackend: StartBackend, options: AuditLogOptions) {
    this.#startBackend = startBackend;
    this.#options = options;
    this.#queueLimit = options.queueLimit ?? 10_000;
    this.#timer = setInterval(() => {
      if (this.#written > this.#signed) {
        this.checkpoint().catch(nothing);
      }
    }, options.checkpointEveryMs ?? 1000);
    this.#timer.unref();
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      const reply = (message: WriterReply): void => {
        if (message.kind === 'opened') {
          ({ logId: this.logId, verifierKey: this.verifierKey } = message);
          resolve();
        } else if (message.kind === 'failed') {
          failure = errorOf(message);
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

  async record(text: string): Promise<AuditReceipt> {
    requireText(text);
    if (this.#closing !== undefined) {
      throw refused('The audit log is closed', 1);
    }
    if (this.#latched) {
      throw this.#unavailable({ isRefused: true });
    }
    if (this.#queue.length >= this.#queueLimit) {
      throw refused('The audit queue is full', 1);
    }
    return await this.#enqueue(text);
  }

  checkpoint(): Promise<string> {
    if (this.#latched || this.#closing !== undefined) {
      return Promise.reject(this.#unavailable({ isRefused: true }));
    }
    return new Promise((resolve, reject) => {
      this.#notes.push({ work: 'checkpoint', resolve, reject });
      this.#pump();
    });
  }

  rotateKey(actorId: string): Promise<string> {
    if (this.#latched || this.#closing !== undefined) {
      return Promise.reject(this.#unavailable());
    }
    if (this.#rotation !== undefined) {
      return Promise.reject(new AuditLogError('The signing key is being replaced already.'));
    }
    return new Promise((resolve, reject) => {
      this.#rotation = { work: actorId, resolve, reject };
      this.#pump();
    });
  }

  state(): AuditLogState {
    return {
      queued: this.#inFlight.reduce((sum, batch) => sum + batch.length, this.#queue.length),
      latched: this.#latched,
      written: this.#written,
      groups: this.#groups,
      syncMs: this.#syncMs,
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

  #enqueue(work: string): Promise<AuditReceipt> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#pumpSoon();
    });
  }

  /** Sends after all records of this tick, so that the first is not a batch of one. */
  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.#pump();
    });
  }

  /** Sends what the backend accepts: records queued during a sync form the next group. */
  #pump(): void {
    const step = this.#closing === undefined && this.#isOpen ? this.#clock.step() : undefined;
    if (step !== undefined) {
      this.#enqueue(step).catch(nothing);
    }
    while (this.#isOpen && this.#queue.length > 0 && this.#takes()) {
      const batch = this.#nextBatch();
      this.#inFlight.push(batch);
      this.#backend?.ask({ kind: 'append', texts: batch.map(({ work }) => work) });
    }
    const isIdle = this.#isOpen && this.#inFlight.length === 0 && this.#pending === 'nothing';
    if (isIdle && this.#rotation !== undefined) {
      this.#pending = 'rotate';
      this.#backend?.ask({ kind: 'rotate', actorId: this.#rotation.work });
    } else if (isIdle && this.#notes.length > 0) {
      this.#pending = 'checkpoint';
      // Later requests cover later records.
      this.#pendingNotes = this.#notes.splice(0);
      this.#writtenAtRequest = this.#written;
      this.#backend?.ask({ kind: 'checkpoint' });
    } else if (isIdle && this.#closing !== undefined) {
      this.#pending = 'close';
      this.#backend?.ask({ kind: 'close' });
    }
  }

  #takes(): boolean {
    const requests = this.#inFlight.length + (this.#pending === 'nothing' ? 0 : 1);
    // Records wait while the key is replaced.
    const isHeld = this.#pending === 'close' || this.#rotation !== undefined;
    return !isHeld && requests < (this.#backend?.mostRequests ?? 0);
  }

  #nextBatch(): WaitingRecord[] {
    let [count, characters] = [0, 0];
    for (const { work } of this.#queue) {
      characters += work.length;
      if (count > 0 && (count >= mostRecords || characters > mostCharacters)) {
        break;
      }
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #onReply(reply: WriterReply): void {
    switch (reply.kind) {
      case 'opened':
        this.#isOpen = true;
        if (this.#latched) {
          this.#latched = false;
          this.#options.onStateChange?.('open', 'The audit log accepts records again');
        }
        break;
      case 'appended':
        this.#onAppended(reply);
        break;
      case 'signed':
        this.#pending = 'nothing';
        this.#signed = this.#writtenAtRequest;
        this.#pendingNotes.splice(0).forEach(({ resolve }) => {
          resolve(reply.note);
        });
        break;
      case 'rotated':
        this.#written += 1;
        this.#signed = this.#written;
        this.verifierKey = reply.verifierKey;
        this.#endRotation()?.resolve(reply.note);
        break;
      case 'kept':
        this.#endRotation()?.reject(new AuditLogError(reply.message));
        break;
      case 'failed':
        this.#latch(errorOf(reply));
        return;
      case 'closed':
        return;
    }
    this.#pump();
  }

  #onAppended(reply: Extract<WriterReply, { kind: 'appended' }>): void {
    const records = this.#inFlight.splice(0, reply.requests).flat();
    this.#written += records.length;
    this.#groups += reply.groups;
    this.#syncMs = { sum: this.#syncMs.sum + reply.syncMs, last: reply.syncMs };
    this.#pauseMs = shortestPauseMs;
    records.forEach(({ resolve }, at) => {
      resolve({ logId: this.logId, seq: reply.firstSeq + at });
    });
  }

  #endRotation(): Waiting<string, string> | undefined {
    const rotation = this.#rotation;
    this.#rotation = undefined;
    this.#pending = this.#pending === 'rotate' ? 'nothing' : this.#pending;
    return rotation;
  }

  /** Rejects records until a new backend has verified the log. */
  #latch(failure: Error): void {
    const reason =
      failure instanceof AuditBrokenError
        ? `${failure.message}. Do not change the data; run caregate audit verify`
        : failure.message;
    this.#isOpen = false;
    this.#pending = 'nothing';
    const wasLatched = this.#latched;
    this.#latched = true;
    const sent = [...this.#inFlight.flat(), ...this.#pendingNotes];
    const queued = [...this.#queue, ...this.#notes];
    this.#inFlight = [];
    this.#queue = [];
    this.#notes = [];
    this.#pendingNotes = [];
    this.#endRotation()?.reject(this.#unavailable());
    for (const [waiting, isRefused] of [[sent, false] as const, [queued, true] as const]) {
      const error = this.#unavailable({ isRefused });
      waiting.forEach(({ reject }) => {
        reject(error);
      });
    }
    const now = performance.now();
    const isNew =
      !wasLatched || reason !== this.#reported.reason || now - this.#reported.atMs >= sayAgainMs;
    if (isNew && this.logId !== '' && this.#closing === undefined) {
      this.#reported = { reason, atMs: now };
      const what = wasLatched ? 'The audit log is still closed' : 'The audit log stopped';
      this.#options.onStateChange?.('latched', `${what}: ${reason}`);
    }
  }

  #onExit(failure: Error): void {
    this.#backend = undefined;
    if (this.#closing !== undefined) {
      this.#latch(failure);
      this.#closed();
      return;
    }
    if (this.logId === '') {
      clearInterval(this.#timer);
      return;
    }
    this.#latch(failure);
    setTimeout(() => {
      if (this.#closing === undefined) {
        // If it fails again, its exit triggers the next attempt.
        this.open().catch(nothing);
      }
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #unavailable(options?: { readonly isRefused: boolean }): AuditUnavailableError {
    const seconds = Math.ceil(this.#pauseMs / 1000);
    return new AuditUnavailableError('The audit log cannot be written', seconds, options);
  }
}

function refused(message: string, seconds: number): AuditUnavailableError {
  return new AuditUnavailableError(message, seconds, { isRefused: true });
}

function nothing(): void {
  // The caller has already been informed.
}
