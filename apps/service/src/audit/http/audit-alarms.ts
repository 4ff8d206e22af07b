import type { AccessAlarm, AccessAlarms, AccessEvents } from '../../access/access-events.ts';
import type { AuditEntry, AuditRecorder } from '../audit-entry.ts';
import type { AuditLogEvents } from '../audit-log.ts';
import { ALARMS } from '../log-operations.ts';
import { systemEntry, type SystemFacts } from '../system-record.ts';

const RETRY_MS = 1000;
/** Alarms that may wait for a log that can't be written now; there are few kinds, and each comes seldom. */
const MOST_WAITING = 1000;

/** Writes alarms into the log as events of the system. One that can't be written is tried again until it is. */
export class AuditAlarms {
  readonly #audit: AuditRecorder;
  readonly #stopListening: () => void;
  #waiting: AuditEntry[] = [];
  #writing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(audit: AuditRecorder, events: AccessEvents, log: AuditLogEvents) {
    this.#audit = audit;
    const onResumed = (): void => {
      this.raise('log-interrupted');
    };
    log.on('resumed', onResumed);
    const listeners = (
      ['bulk-read', 'resolve-enumeration', 'break-glass', 'break-glass-unreviewed'] as const
    ).map((alarm: AccessAlarm) => {
      const listener = (facts: AccessAlarms[AccessAlarm]): void => {
        this.raise(alarm, facts);
      };
      events.on(alarm, listener);
      return () => events.off(alarm, listener);
    });
    this.#stopListening = () => {
      listeners.forEach((stop) => stop());
      log.off('resumed', onResumed);
    };
  }

  raise(alarm: keyof typeof ALARMS, facts: SystemFacts = {}): void {
    if (this.#waiting.length < MOST_WAITING) {
      this.#waiting.push(systemEntry(ALARMS[alarm], facts));
    }
    this.#writing ??= this.#write();
  }

  /** Tries once more to write what waits. */
  async close(): Promise<void> {
    this.#stopListening();
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
