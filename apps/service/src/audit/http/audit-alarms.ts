import { type AuditLogEvents } from '../trail/audit-trail.ts';
import type { AccessAlarm, AccessEvents } from '../../auth/access-alarms.ts';
import { systemEntry, type SystemFacts, ALARMS } from '../system-record.ts';
import type { AuditEntry, AuditRecorder } from '../record/audit-entry.ts';

const RETRY_MS = 1000;
const MOST_WAITING = 1000;

/** Without `break-glass`: its grant is recorded itself. */
const RAISED = [
  'break-glass-many',
  'break-glass-unreviewed',
] as const satisfies readonly AccessAlarm[];

export class AuditAlarms {
  readonly #audit: AuditRecorder;
  #waiting: AuditEntry[] = [];
  #writing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(audit: AuditRecorder, events: AccessEvents, log: AuditLogEvents) {
    this.#audit = audit;
    let isInterrupted = false;
    // Its record waits until the log takes records.
    log.on('interrupted', () => {
      if (!isInterrupted) this.raise('log-interrupted');
      isInterrupted = true;
    });
    log.on('resumed', () => {
      isInterrupted = false;
      this.#writing ??= this.#write();
    });
    for (const alarm of RAISED) {
      events.on(alarm, (facts: SystemFacts) => {
        this.raise(alarm, facts);
      });
    }
  }

  raise(alarm: keyof typeof ALARMS, facts: SystemFacts = {}): void {
    if (!this.#isClosed && this.#waiting.length < MOST_WAITING) {
      this.#waiting.push(systemEntry(ALARMS[alarm], facts));
      this.#writing ??= this.#write();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#writing;
    await this.#write();
    clearTimeout(this.#retry);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#retry);
    let next: AuditEntry | undefined;
    try {
      while ((next = this.#waiting[0]) !== undefined) {
        await this.#audit.record(next);
        this.#waiting.shift();
      }
    } catch {
      this.#retry = setTimeout(() => {
        this.#writing ??= this.#write();
      }, RETRY_MS).unref();
    } finally {
      this.#writing = undefined;
    }
  }
}
