import { addressPrefix } from '../../http/address/address-prefix.ts';
import { dataCategoryOf, decisionOf, reasonOf } from './details.ts';
import { systemRecord, type AuditEntry, type AuditRecorder } from '../record/audit-entry.ts';

const ANONYMOUS_EVERY_MS = 60_000;
const MOST_KINDS = 1000;

interface Count {
  readonly operation: string;
  readonly status: number;
  readonly prefix: string;
  sinceMs: number;
  count: number;
}

/** One record a minute per operation, status and network, so that a flood cannot fill the log. A crash loses a minute. */
export class AnonymousCounts {
  readonly #audit: AuditRecorder;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, Count>();

  constructor(
    audit: AuditRecorder,
    options: { readonly everyMs?: number; readonly now?: () => number } = {},
  ) {
    this.#audit = audit;
    this.#now = options.now ?? Date.now;
    this.#timer = setInterval(() => void this.flush(), options.everyMs ?? ANONYMOUS_EVERY_MS);
    this.#timer.unref();
  }

  add(operation: string, status: number, address: string | undefined): void {
    this.#add({
      operation,
      status,
      prefix: addressPrefix(address ?? ''),
      sinceMs: this.#now(),
      count: 1,
    });
  }

  /** Counts that cannot be written are kept for the next time. */
  async flush(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    await Promise.all(
      Array.from(counts.values(), (count) =>
        this.#audit.record(entryOf(count)).catch(() => {
          this.#add(count);
        }),
      ),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #add(count: Count): void {
    const key = (prefix: string): string => `${count.operation} ${count.status} ${prefix}`;
    const prefix =
      this.#counts.size < MOST_KINDS || this.#counts.has(key(count.prefix))
        ? count.prefix
        : 'others';
    const known = this.#counts.get(key(prefix));
    if (known === undefined) {
      this.#counts.set(key(prefix), { ...count, prefix });
    } else {
      known.count += count.count;
      // Counts that could not be written come back behind newer ones.
      known.sinceMs = Math.min(known.sinceMs, count.sinceMs);
    }
  }
}

function entryOf({ operation, status, prefix, sinceMs, count }: Count): AuditEntry {
  return systemRecord({
    actorType: 'anonymous',
    operation,
    dataCategory: dataCategoryOf(operation),
    decision: decisionOf(status),
    reasonCode: reasonOf(status),
    httpStatus: status,
    recordCount: count,
    details: { client_prefix: prefix, since: new Date(sinceMs).toISOString() },
  });
}
