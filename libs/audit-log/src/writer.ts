import type { AuditLog, AuditLogOptions, AuditLogState, AuditReceipt } from './audit-log.ts';
import { ClockWatch } from './clock-watch.ts';
import { AuditBrokenError, AuditUnavailableError } from './errors.ts';
import type { LogAnswer, LogBackend, LogRequest } from './log-thread.ts';
import { ownText, requireText, type OwnRecord, type RecordText } from './record.ts';

const mostRecords = 256;
/** A larger batch would delay the next one. */
const mostCharacters = 2 ** 17;
const PROBE_MS = 500;
const SAY_AGAIN_MS = 60_000;

interface Refresh {
  readonly resolve: (answer: LogAnswer) => void;
  readonly reject: (error: Error) => void;
}

interface Waiting {
  readonly text: RecordText;
  readonly resolve: (receipt: AuditReceipt) => void;
  readonly reject: (error: Error) => void;
}

/** Commits all records together that wait while the commit before is under way. */
export class AuditWriter implements AuditLog {
  readonly logId: string;
  readonly #backend: LogBackend;
  readonly #options: Pick<AuditLogOptions, 'members' | 'queueLimit' | 'onStateChange'>;
  readonly #clock: ClockWatch;
  #known: LogAnswer;
  #queue: Waiting[] = [];
  #refreshes: Refresh[] = [];
  #flying = 0;
  #turn: Promise<void> | undefined;
  #interruption: { readonly reason: string; readonly isForGood: boolean } | undefined;
  #said = { reason: '', atMs: -Infinity };
  /** The last that was said is that the log takes no records. */
  #isSaid = false;
  #probe: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #written = 0;
  #commits = 0;
  #commitMs = { sum: 0, last: 0 };

  constructor(
    backend: LogBackend,
    options: Pick<AuditLogOptions, 'members' | 'queueLimit' | 'onStateChange'>,
  ) {
    this.#backend = backend;
    this.#options = options;
    this.#known = backend.opened;
    this.#clock = new ClockWatch(backend.opened.lastTimeMs);
    this.logId = backend.opened.logId;
  }

  get publicKey(): string {
    return this.#known.publicKey;
  }

  state(): AuditLogState {
    return {
      queued: this.#queue.length + this.#flying,
      isInterrupted: this.#interruption !== undefined,
      written: this.#written,
      commits: this.#commits,
      commitMs: this.#commitMs,
    };
  }

  async record(text: RecordText): Promise<AuditReceipt> {
    requireText(text);
    return await this.#enqueue(text);
  }

  /** A record of the log itself. */
  async recordOwn(record: OwnRecord): Promise<AuditReceipt> {
    return await this.#enqueue(ownText(record, this.#options.members));
  }

  async checkpoint(): Promise<string> {
    this.#requireOpen();
    const { checkpoint } = await new Promise<LogAnswer>((resolve, reject) => {
      this.#refreshes.push({ resolve, reject });
      this.#start();
    });
    return checkpoint;
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    clearTimeout(this.#probe);
    this.#start();
    while (this.#turn !== undefined) {
      await this.#turn;
    }
    await this.#backend.close();
  }

  #enqueue(text: RecordText): Promise<AuditReceipt> {
    return new Promise((resolve, reject) => {
      this.#requireOpen();
      if (this.#queue.length >= (this.#options.queueLimit ?? 10_000)) {
        throw new AuditUnavailableError('Too many records wait for the audit log');
      }
      this.#queue.push({ text, resolve, reject });
      if (this.#turn === undefined) {
        // After all records of this tick, so that the first is no batch of its own.
        setImmediate(() => {
          this.#start();
        });
      }
    });
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) {
      throw new AuditUnavailableError('The audit log is closed');
    }
    if (this.#interruption !== undefined) {
      throw new AuditUnavailableError('The audit log cannot be written');
    }
  }

  /** One request at a time. */
  #start(): void {
    if (this.#turn !== undefined || this.#interruption !== undefined) {
      return;
    }
    if (this.#refreshes.length > 0) {
      this.#turn = this.#refresh(this.#refreshes.splice(0));
    } else if (this.#queue.length > 0) {
      this.#turn = this.#commit(this.#nextBatch());
    }
    this.#turn = this.#turn?.finally(() => {
      this.#turn = undefined;
      this.#start();
    });
  }

  async #refresh(waiting: readonly Refresh[]): Promise<void> {
    try {
      const answer = await this.#ask({ kind: 'refresh' });
      waiting.forEach(({ resolve }) => {
        resolve(answer);
      });
    } catch (error) {
      waiting.forEach(({ reject }) => {
        reject(error as Error);
      });
      this.#interrupt(error as Error);
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const step = this.#clock.step();
    const own = step === undefined ? [] : [ownText(step, this.#options.members)];
    this.#flying = batch.length;
    const began = performance.now();
    try {
      const texts = [...own, ...batch.map(({ text }) => text)];
      const { first } = await this.#ask({ kind: 'append', texts });
      const last = performance.now() - began;
      this.#commitMs = { sum: this.#commitMs.sum + last, last };
      this.#commits += 1;
      this.#written += texts.length;
      if (this.#isSaid) {
        // A probe writes less than a record, so it may pass where the disk is full.
        this.#isSaid = false;
        this.#options.onStateChange?.('open', 'The audit log takes records again');
      }
      batch.forEach(({ resolve }, at) => {
        resolve({ logId: this.logId, seq: first + own.length + at });
      });
    } catch (error) {
      batch.forEach(({ reject }) => {
        reject(error as Error);
      });
      this.#interrupt(error as Error);
    } finally {
      this.#flying = 0;
    }
  }

  async #ask(request: LogRequest): Promise<LogAnswer> {
    try {
      this.#known = await this.#backend.ask(request);
      return this.#known;
    } catch (error) {
      throw error instanceof AuditUnavailableError
        ? error
        : new AuditUnavailableError('The audit log cannot be written', {
            isRefused: request.kind !== 'append',
            cause: error,
          });
    }
  }

  /** Refuses all records until the log can be written again; for good if it is not the one that was signed. */
  #interrupt(error: Error): void {
    const cause = error.cause instanceof Error ? error.cause : error;
    const isForGood = cause instanceof AuditBrokenError;
    const reason = isForGood
      ? `${cause.message}. Do not change the data; run caregate audit verify`
      : cause.message;
    this.#interruption = { reason, isForGood };
    for (const { reject } of [...this.#queue.splice(0), ...this.#refreshes.splice(0)]) {
      reject(new AuditUnavailableError('The audit log cannot be written', { cause: error }));
    }
    const now = performance.now();
    if (reason !== this.#said.reason || now - this.#said.atMs >= SAY_AGAIN_MS) {
      this.#said = { reason, atMs: now };
      this.#isSaid = true;
      this.#options.onStateChange?.('interrupted', `The audit log takes no records: ${reason}`);
    }
    if (!isForGood && this.#closing === undefined) {
      this.#probe = setTimeout(() => void this.#resume(), PROBE_MS).unref();
    }
  }

  async #resume(): Promise<void> {
    try {
      await this.#ask({ kind: 'probe' });
      this.#interruption = undefined;
    } catch (error) {
      this.#interrupt(error as Error);
    }
  }

  #nextBatch(): Waiting[] {
    let [count, characters] = [0, 0];
    for (const { text } of this.#queue) {
      characters += text[0].length + text[1].length;
      if (count > 0 && (count >= mostRecords || characters > mostCharacters)) {
        break;
      }
      count += 1;
    }
    return this.#queue.splice(0, count);
  }
}
