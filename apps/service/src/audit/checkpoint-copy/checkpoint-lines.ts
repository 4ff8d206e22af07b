import { parseCheckpoint } from '@caregate/audit-log';
import type { Logger } from 'pino';
import type { AuditTrail } from '../trail/audit-trail.ts';

const EVERY_MS = 60_000;

/** Writes the newest checkpoint of the log to the service's log output each minute in which the log has grown, and at the end. */
export class CheckpointLines {
  readonly #trail: Pick<AuditTrail, 'checkpoint'>;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #size = 0;

  constructor(trail: Pick<AuditTrail, 'checkpoint'>, logger: Logger) {
    this.#trail = trail;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => void this.write(), EVERY_MS).unref();
  }

  /** Never rejects: a log that cannot be written reports that itself. */
  async write(): Promise<void> {
    try {
      const checkpoint = await this.#trail.checkpoint();
      const { size } = parseCheckpoint(checkpoint);
      if (size > this.#size) {
        this.#size = size;
        this.#logger.info({ checkpoint }, 'newest checkpoint of the audit log');
      }
    } catch {
      // The next minute tries again.
    }
  }

  /** Call it while the log is still open. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) {
      clearInterval(this.#timer);
      await this.write();
    }
  }
}
