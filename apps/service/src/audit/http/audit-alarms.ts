import type { AccessAlarm, AccessAlarms, AccessEvents } from '../../access/access-events.ts';
import type { AuditEntry, AuditRecorder } from '../audit-entry.ts';
import type { AuditLogEvents } from '../audit-log.ts';
import { ALARMS } from '../log-operations.ts';
import { systemEntry, type SystemFacts } from '../system-record.ts';

const RETRY_MS = 1000;
/** Maximum number of alarms that wait while the log is unavailable. */
const MOST_WAITING = 1000;

/** Writes alarms to the log as system events. Retries until they are written. */
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

  /** Tries once more to write waiting alarms. */
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
