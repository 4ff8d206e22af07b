import { setImmediate as endOfTick } from 'node:timers/promises';
import type { AuditLog, AuditLogOptions, AuditReceipt } from './audit-log.ts';
import { AuditBrokenError, AuditUnavailableError } from './errors.ts';
import type { LogBackend, LogState } from './log-backend.ts';
import type { LogPlace } from './log-place.ts';
import { verifyInThread } from './log-thread.ts';
import {
  CLOCK_STEP,
  formatOwnRecord,
  requireText,
  type Members,
  type OwnRecord,
  type RecordText,
} from './record.ts';

const maxQueued = 10_000;
const maxBatch = 256;
/** A larger batch would delay the next one. */
const maxBatchCharacters = 2 ** 17;
const PROBE_MS = 500;
/** Interval in milliseconds after which an ongoing interruption is reported again. */
const REPORT_AGAIN_MS = 60_000;
const SMALLEST_CLOCK_STEP_MS = 2000;

interface Waiting {
  readonly text: RecordText;
  readonly resolve: (receipt: AuditReceipt) => void;
  readonly reject: (error: Error) => void;
}

interface WriterOptions {
  readonly place: LogPlace;
  readonly members: Members;
  readonly onStateChange: AuditLogOptions['onStateChange'];
}

/** Commits all records together that arrive while the previous commit is in progress. */
export class AuditWriter implements AuditLog {
  readonly logId: string;
  readonly #backend: LogBackend;
  readonly #options: WriterOptions;
  #last: LogState;
  #queue: Waiting[] = [];
  /** Settles when the queue is empty. */
  #commits: Promise<void> | undefined;
  /** Settles with the last call of the backend. */
  #calls: Promise<unknown> = Promise.resolve();
  #isInterrupted = false;
  #report = { reason: '', atMs: -Infinity };
  /** True after an interruption was reported, until its end is reported. */
  #isReported = false;
  #probe: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #clockOffset: number;
  #committing = 0;
  #written = 0;
  #commitCount = 0;
  #commitMs = { sum: 0, last: 0 };

  constructor(backend: LogBackend, state: LogState, options: WriterOptions) {
    this.#backend = backend;
    this.#options = options;
    this.#last = state;
    this.logId = state.logId;
    // If the system clock is behind the newest record, it was set back; times in the log must not decrease.
    this.#clockOffset = Math.max(readClockOffset(), state.lastTimeMs - performance.now());
  }

  get publicKey(): string {
    return this.#last.publicKey;
  }

  state(): ReturnType<AuditLog['state']> {
    return {
      queued: this.#queue.length + this.#committing,
      isInterrupted: this.#isInterrupted,
      written: this.#written,
      commits: this.#commitCount,
      commitMs: this.#commitMs,
    };
  }

  async record(text: RecordText): Promise<AuditReceipt> {
    requireText(text);
    return await this.#enqueue(text);
  }

  async recordOwn(record: OwnRecord): Promise<AuditReceipt> {
    return await this.#enqueue(formatOwnRecord(record, this.#options.members));
  }

  async checkpoint(): Promise<string> {
    this.#requireOpen();
    try {
      this.#last = await this.#call(() => this.#backend.refresh());
      return this.#last.checkpoint;
    } catch (error) {
      this.#interrupt(error as Error);
      throw toUnavailable(error, true);
    }
  }

  async verify(share: number, signal?: AbortSignal): Promise<{ readonly size: number }> {
    const { place, members } = this.#options;
    const checkpoint = await this.checkpoint();
    const { logId, publicKey } = this;
    return await verifyInThread({ place, members, logId, publicKey, checkpoint, share }, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    clearTimeout(this.#probe);
    await this.#commits;
    await this.#calls;
    await this.#backend.close();
  }

  #enqueue(text: RecordText): Promise<AuditReceipt> {
    return new Promise((resolve, reject) => {
      this.#requireOpen();
      if (this.#queue.length >= maxQueued) {
        throw new AuditUnavailableError('Too many records wait for the audit log');
      }
      this.#queue.push({ text, resolve, reject });
      this.#commits ??= this.#commitAll();
    });
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) {
      throw new AuditUnavailableError('The audit log is closed');
    }
    if (this.#isInterrupted) {
      throw new AuditUnavailableError('The audit log cannot be written');
    }
  }

  async #commitAll(): Promise<void> {
    while (this.#queue.length > 0) {
      // Waits for the end of the tick, so that its records go into one batch.
      await endOfTick();
      await this.#call(() => this.#commit(this.#takeBatch()));
    }
    this.#commits = undefined;
  }

  #takeBatch(): Waiting[] {
    let [count, characters] = [0, 0];
    for (const { text } of this.#queue) {
      characters += text[0].length + text[1].length;
      if (count > 0 && (count >= maxBatch || characters > maxBatchCharacters)) {
        break;
      }
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) {
      return;
    }
    const own = this.#describeClockStep();
    const texts = [...own, ...batch.map(({ text }) => text)];
    this.#committing = batch.length;
    const began = performance.now();
    try {
      this.#last = await this.#backend.append(texts);
      const last = performance.now() - began;
      this.#commitMs = { sum: this.#commitMs.sum + last, last };
      this.#commitCount += 1;
      this.#written += texts.length;
      if (this.#isReported) {
        // A probe writes less than a record, so it may succeed on a full disk. Only a record proves that the
        // interruption is over.
        this.#isReported = false;
        this.#options.onStateChange?.('open', 'The audit log takes records again');
      }
      const first = this.#last.first + own.length;
      batch.forEach(({ resolve }, at) => {
        resolve({ logId: this.logId, seq: first + at });
      });
    } catch (error) {
      const unavailable = toUnavailable(error, false);
      batch.forEach(({ reject }) => {
        reject(unavailable);
      });
      this.#interrupt(error as Error);
    } finally {
      this.#committing = 0;
    }
  }

  /** Calls the backend after all previous calls have settled. */
  #call<T>(work: () => Promise<T>): Promise<T> {
    const call = this.#calls.then(work);
    this.#calls = call.catch(() => undefined);
    return call;
  }

  /**
   * Refuses all records until the log can be written again, or permanently if the stored log differs from the signed
   * one.
   */
  #interrupt(error: Error): void {
    const cause = error.cause instanceof Error ? error.cause : error;
    const isFinal = cause instanceof AuditBrokenError;
    const reason = isFinal
      ? `${cause.message}. Do not change the data; run caregate audit verify`
      : cause.message;
    this.#isInterrupted = true;
    for (const { reject } of this.#queue.splice(0)) {
      reject(new AuditUnavailableError('The audit log cannot be written', { cause: error }));
    }
    const now = performance.now();
    if (reason !== this.#report.reason || now - this.#report.atMs >= REPORT_AGAIN_MS) {
      this.#report = { reason, atMs: now };
      this.#isReported = true;
      this.#options.onStateChange?.('interrupted', `The audit log takes no records: ${reason}`);
    }
    clearTimeout(this.#probe);
    if (!isFinal && this.#closing === undefined) {
      this.#probe = setTimeout(() => void this.#resume(), PROBE_MS).unref();
    }
  }

  async #resume(): Promise<void> {
    try {
      this.#last = await this.#call(() => this.#backend.probe());
      this.#isInterrupted = false;
    } catch (error) {
      this.#interrupt(error as Error);
    }
  }

  /** Describes in a record how far the system clock was set since the previous commit. */
  #describeClockStep(): RecordText[] {
    const offset = readClockOffset();
    const milliseconds = Math.round(offset - this.#clockOffset);
    this.#clockOffset = offset;
    return Math.abs(milliseconds) < SMALLEST_CLOCK_STEP_MS
      ? []
      : [
          formatOwnRecord(
            { operation: CLOCK_STEP, details: { milliseconds } },
            this.#options.members,
          ),
        ];
  }
}

/** Difference in milliseconds between the system clock, which can be set, and the monotonic clock. */
function readClockOffset(): number {
  return Date.now() - performance.now();
}

function toUnavailable(error: unknown, isRefused: boolean): AuditUnavailableError {
  return error instanceof AuditUnavailableError
    ? error
    : new AuditUnavailableError('The audit log cannot be written', { isRefused, cause: error });
}
