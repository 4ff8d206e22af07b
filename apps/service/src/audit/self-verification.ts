import { AuditBrokenError, type AuditLog } from '@caregate/audit-log';
import type { Logger } from 'pino';
import { errorForLog } from '../problem/to-problem.ts';
import type { AuditAlarms } from './http/audit-alarms.ts';
import { systemEntry } from './system-record.ts';
import type { AuditRecorder } from './record/audit-entry.ts';

/** Of one core. */
const SHARE = 0.1;
const FIRST_AFTER_MS = 600_000;
const EVERY_MS = 86_400_000;
/** After a failure that is no break, such as a lost connection. */
const AGAIN_AFTER_MS = 600_000;

interface Parts {
  /** Reads the whole log, with this share of a processor. @throws AuditBrokenError at the first fault */
  readonly verify: AuditLog['verify'];
  readonly audit: AuditRecorder;
  readonly alarms: Pick<AuditAlarms, 'raise'>;
  readonly logger: Logger;
}

export interface WholeVerification {
  readonly at: Date;
  readonly isIntact: boolean;
}

/** Verifies the whole log of this instance once a day: a start looks only at its end. */
export class SelfVerification {
  readonly #parts: Parts;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #last: WholeVerification | undefined;
  #intactAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get last(): WholeVerification | undefined {
    return this.#last;
  }

  /** Unix time in seconds; 0 before the first one of this process. */
  get lastIntactSeconds(): number {
    return this.#intactAt / 1000;
  }

  start(): void {
    this.#next(FIRST_AFTER_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#running;
  }

  /** Never rejects. */
  async turn(): Promise<void> {
    this.#running ??= this.#turn().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #turn(): Promise<void> {
    const { verify, audit, logger } = this.#parts;
    const began = performance.now();
    let waitMs = EVERY_MS;
    try {
      const { size: records } = await verify(SHARE, this.#ending.signal);
      const seconds = Math.round((performance.now() - began) / 1000);
      this.#last = { at: new Date(), isIntact: true };
      this.#intactAt = Date.now();
      logger.info({ records, seconds }, 'the whole audit log was verified');
      await audit.record(systemEntry('verifyAuditLog', { records, seconds })).catch(() => {
        logger.warn('the verification of the audit log could not be recorded');
      });
    } catch (error) {
      if (this.#ending.signal.aborted) {
        return;
      }
      if (error instanceof AuditBrokenError) {
        this.#broken(error);
      } else {
        waitMs = AGAIN_AFTER_MS;
        logger.warn({ error: errorForLog(error) }, 'the whole audit log could not be verified');
      }
    }
    this.#next(waitMs);
  }

  #broken({ message, breach, seq }: AuditBrokenError): void {
    const { alarms, logger } = this.#parts;
    this.#last = { at: new Date(), isIntact: false };
    logger.error(
      { alarm: 'proof-failed', breach, seq },
      `the audit log is broken: ${message}; caregate audit verify tells more`,
    );
    alarms.raise('proof-failed', seq === undefined ? {} : { records: seq });
  }

  #next(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.turn(), afterMs).unref();
  }
}
