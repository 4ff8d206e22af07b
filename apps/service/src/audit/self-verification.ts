import { AuditBrokenError } from '@caregate/audit-log';
import { Inject, Injectable } from '@nestjs/common';
import { RESOURCES } from '../common/tokens.ts';
import { errorForLog } from '../problem/problem-error.ts';
import type { Resources } from '../resources.module.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { systemEntry } from './audit-entries.ts';

/** Share of one processor core to use. */
const SHARE = 0.1;
const FIRST_AFTER_MS = 600_000;
const EVERY_MS = 86_400_000;
/** Delay after a failure that doesn't mean a broken log, such as a lost connection. */
const AGAIN_AFTER_MS = 600_000;

/** Verifies the complete audit log of this instance once a day, since a start only verifies its newest records. */
@Injectable()
export class SelfVerification {
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  last: { readonly at: Date; readonly isIntact: boolean } | undefined;
  /** Unix time in seconds; 0 before the first one of this process. */
  lastIntactSeconds = 0;

  constructor(
    @Inject(RESOURCES)
    private readonly resources: Pick<Resources, 'verifyLog' | 'audit' | 'logger'>,
    private readonly alarms: AuditAlarms,
  ) {}

  start(): void {
    this.#schedule(FIRST_AFTER_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#running;
  }

  /** Verifies the log, or waits for the verification in progress. Never rejects. */
  async verify(): Promise<void> {
    this.#running ??= this.#verify().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #verify(): Promise<void> {
    const { verifyLog, audit, logger } = this.resources;
    const began = performance.now();
    let waitMs = EVERY_MS;
    try {
      const { size: records } = await verifyLog(SHARE, this.#ending.signal);
      const seconds = Math.round((performance.now() - began) / 1000);
      this.last = { at: new Date(), isIntact: true };
      this.lastIntactSeconds = Date.now() / 1000;
      logger.info({ records, seconds }, 'the whole audit log was verified');
      await audit.record(systemEntry('verifyAuditLog', { records, seconds })).catch(() => {
        logger.warn('the verification of the audit log could not be recorded');
      });
    } catch (error) {
      if (this.#ending.signal.aborted) {
        return;
      }
      if (error instanceof AuditBrokenError) {
        const { message, breach, seq } = error;
        this.last = { at: new Date(), isIntact: false };
        logger.error(
          { alarm: 'proof-failed', breach, seq },
          `the audit log is broken: ${message}; caregate audit verify tells more`,
        );
        this.alarms.raise('proof-failed', seq === undefined ? {} : { records: seq });
      } else {
        waitMs = AGAIN_AFTER_MS;
        logger.warn({ error: errorForLog(error) }, 'the whole audit log could not be verified');
      }
    }
    this.#schedule(waitMs);
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.verify(), afterMs).unref();
  }
}
