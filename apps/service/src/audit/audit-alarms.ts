import { Inject, Injectable } from '@nestjs/common';
import { AccessStore } from '../auth/access-store.ts';
import { AUDIT_RECORDER, RESOURCES } from '../common/tokens.ts';
import type { Resources } from '../resources.module.ts';
import { ALARMS, buildSystemEntry, type SystemFacts } from './audit-entries.ts';
import type { AuditEntry, AuditRecorder } from './audit-record.ts';

const RETRY_MS = 1000;
const MAX_PENDING = 1000;

/** Records alarms. If the audit log can't accept one, it is recorded later. */
@Injectable()
export class AuditAlarms {
  readonly #pending: AuditEntry[] = [];
  #writing = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isInterrupted = false;

  constructor(
    @Inject(AUDIT_RECORDER) private readonly audit: AuditRecorder,
    { database }: AccessStore,
    @Inject(RESOURCES) { auditEvents }: Pick<Resources, 'auditEvents'>,
  ) {
    auditEvents.on('interrupted', () => {
      if (!this.#isInterrupted) this.raise('log-interrupted');
      this.#isInterrupted = true;
    });
    auditEvents.on('resumed', () => {
      this.#isInterrupted = false;
      this.#write();
    });
    // The alarm `break-glass` needs no record, since each grant is recorded anyway.
    for (const alarm of ['break-glass-many', 'break-glass-unreviewed'] as const) {
      database.events.on(alarm, (facts: SystemFacts) => {
        this.raise(alarm, facts);
      });
    }
  }

  raise(alarm: keyof typeof ALARMS, facts: SystemFacts = {}): void {
    if (!this.#isClosed && this.#pending.length < MAX_PENDING) {
      this.#pending.push(buildSystemEntry(ALARMS[alarm], facts));
      this.#write();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#write();
    await this.#writing;
    clearTimeout(this.#retry);
  }

  #write(): void {
    this.#writing = this.#writing.then(() => this.#writePending());
  }

  async #writePending(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      for (let next; (next = this.#pending[0]) !== undefined; this.#pending.shift()) {
        await this.audit.record(next);
      }
    } catch {
      this.#retry = setTimeout(() => {
        this.#write();
      }, RETRY_MS).unref();
    }
  }
}
