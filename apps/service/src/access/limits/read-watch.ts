import type { AccessEvents } from '../access-events.ts';
import type { Principal } from '../principal.ts';

const hourMs = 3_600_000;

/** One hour's worth that a person at a desk does not reach. */
export const BULK_READ_RECORDS = 5000;
export const RESOLVE_MISSES = 100;

interface Hour {
  readonly beganMs: number;
  records: number;
  misses: number;
}

/**
 * Counts by key what was read and what was not found, and raises each alarm once an hour: for a key that reads
 * unusually much, and for one that tries out client user ids. It never refuses anything.
 */
export class ReadWatch {
  readonly #events: AccessEvents;
  readonly #now: () => number;
  readonly #hours = new Map<string, Hour>();

  constructor(events: AccessEvents, now: () => number = Date.now) {
    this.#events = events;
    this.#now = now;
  }

  /** @param records how many patients the answer is about, each as often as it is read */
  read(principal: Pick<Principal, 'keyId' | 'teamId'>, records: number): void {
    const hour = this.#hourOf(principal.keyId);
    const before = hour.records;
    hour.records += records;
    if (before < BULK_READ_RECORDS && hour.records >= BULK_READ_RECORDS) {
      const { keyId, teamId } = principal;
      this.#events.emit('bulk-read', { keyId, teamId, records: hour.records });
    }
  }

  resolveMissed(principal: Pick<Principal, 'keyId' | 'teamId'>): void {
    const hour = this.#hourOf(principal.keyId);
    hour.misses += 1;
    if (hour.misses === RESOLVE_MISSES) {
      const { keyId, teamId } = principal;
      this.#events.emit('resolve-enumeration', { keyId, teamId, misses: hour.misses });
    }
  }

  /** As many entries at most as there are keys in force: only those get this far. */
  #hourOf(keyId: string): Hour {
    const now = this.#now();
    const known = this.#hours.get(keyId);
    if (known !== undefined && now - known.beganMs < hourMs) {
      return known;
    }
    const hour = { beganMs: now, records: 0, misses: 0 };
    this.#hours.set(keyId, hour);
    return hour;
  }
}
