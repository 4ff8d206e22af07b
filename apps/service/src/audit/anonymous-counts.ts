import { getNetwork } from '../http/client-address.ts';
import { findDataCategory, chooseDecision, chooseReason } from './answer-entry.ts';
import type { AuditEntry, AuditRecorder } from './audit-record.ts';

const FLUSH_EVERY_MS = 60_000;
const MOST_KINDS = 1000;

interface Count {
  readonly operation: string;
  readonly status: number;
  readonly prefix: string;
  readonly sinceMs: number;
  readonly count: number;
}

/**
 * Records refused anonymous requests as one record a minute for each operation, status and network, so that a flood
 * can't fill the audit log. A crash loses up to a minute of counts.
 */
export class AnonymousCounts {
  readonly #audit: AuditRecorder;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, Count>();

  constructor(audit: AuditRecorder, now = Date.now) {
    this.#audit = audit;
    this.#now = now;
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  add(operation: string, status: number, address = ''): void {
    const prefix = getNetwork(address);
    this.#add({ operation, status, prefix, sinceMs: this.#now(), count: 1 });
  }

  /** Writes the counts. Those that can't be written are kept for the next attempt. */
  async flush(): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    await Promise.all(
      counts.map((count) =>
        this.#audit.record(describe(count)).catch(() => {
          this.#add(count);
        }),
      ),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #add(added: Count): void {
    const kind = `${added.operation} ${added.status}`;
    const isCounted = this.#counts.has(`${kind} ${added.prefix}`);
    const prefix = isCounted || this.#counts.size < MOST_KINDS ? added.prefix : 'others';
    const { count = 0, sinceMs = Infinity } = this.#counts.get(`${kind} ${prefix}`) ?? {};
    this.#counts.set(`${kind} ${prefix}`, {
      ...added,
      prefix,
      count: count + added.count,
      // Counts that could not be written are merged into newer ones.
      sinceMs: Math.min(sinceMs, added.sinceMs),
    });
  }
}

function describe({ operation, status, prefix, sinceMs, count }: Count): AuditEntry {
  return {
    actor_type: 'anonymous',
    operation,
    data_category: findDataCategory(operation),
    decision: chooseDecision(status),
    reason_code: chooseReason(status),
    http_status: status,
    record_count: count,
    details: { client_prefix: prefix, since: new Date(sinceMs).toISOString() },
  };
}
