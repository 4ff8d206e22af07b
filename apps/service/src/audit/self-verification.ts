import { AuditBrokenError } from '@caregate/audit-log';
import { Inject, Injectable } from '@nestjs/common';
import { RESOURCES } from '../common/tokens.ts';
import { describeErrorForLog } from '../problem/problem-error.ts';
import type { Resources } from '../resources.module.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { buildSystemEntry } from './audit-entries.ts';

/** Share of one processor core to use. */
const CPU_SHARE = 0.1;
const FIRST_DELAY_MS = 600_000;
const INTERVAL_MS = 86_400_000;
/** Delay after a failure that doesn't mean a broken log, such as a lost connection. */
const RETRY_DELAY_MS = 600_000;

/** Verifies the complete audit log of this instance once a day, since a start only verifies its newest records. */
@Injectable()
export class SelfVerification {
  readonly #abortController = new AbortController();
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
    this.#schedule(FIRST_DELAY_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#abortController.abort();
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
    const startMs = performance.now();
    let waitMs = INTERVAL_MS;
    try {
      const { size: records } = await verifyLog(CPU_SHARE, this.#abortController.signal);
      const seconds = Math.round((performance.now() - startMs) / 1000);
      this.last = { at: new Date(), isIntact: true };
      this.lastIntactSeconds = Date.now() / 1000;
      logger.info({ records, seconds }, 'the whole audit log was verified');
      await audit.record(buildSystemEntry('verifyAuditLog', { records, seconds })).catch(() => {
        logger.warn('the verification of the audit log could not be recorded');
      });
    } catch (error) {
      if (this.#abortController.signal.aborted) {
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
        waitMs = RETRY_DELAY_MS;
        logger.warn(
          { error: describeErrorForLog(error) },
          'the whole audit log could not be verified',
        );
      }
    }
    this.#schedule(waitMs);
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.verify(), afterMs).unref();
  }
}
