import type { AccessEvents } from '../../access/access-events.ts';
import { tooManyRequests } from '../../access/limits/rate-limits.ts';
import type { ProblemError } from '../../problem/problem-error.ts';

const HOUR_MS = 3_600_000;
/** Of the free disk, for what a team adds in an hour: what is left is for the others, however long it goes on. */
const DISK_SHARE = 0.1;

/** Of a record in the log and its index, and of each patient in it. */
const RECORD_BYTES = 800;
const PATIENT_BYTES = 45;

export function recordBytes(patients: number): number {
  return RECORD_BYTES + PATIENT_BYTES * patients;
}

interface Disk {
  readonly space: { readonly freeBytes: number } | undefined;
}

/** At most one alarm an hour for a team with more than `limit` records in an hour; keeps disk for the others. */
export class TeamRecords {
  readonly #events: AccessEvents;
  readonly #limit: number;
  readonly #disk: Disk | undefined;
  readonly #now: () => number;
  readonly #hours = new Map<string, { readonly beganMs: number; records: number; bytes: number }>();

  /** @param disk with the log; undefined if that is another machine's */
  constructor(
    events: AccessEvents,
    limit: number,
    disk: Disk | undefined,
    now = () => performance.now(),
  ) {
    this.#events = events;
    this.#limit = limit;
    this.#disk = disk;
    this.#now = now;
  }

  /** The hour of a team begins with its first record. */
  recorded(teamId: string, bytes: number): void {
    const now = this.#now();
    let hour = this.#hours.get(teamId);
    if (hour === undefined || now - hour.beganMs >= HOUR_MS) {
      hour = { beganMs: now, records: 0, bytes: 0 };
      this.#hours.set(teamId, hour);
    }
    hour.records += 1;
    hour.bytes += bytes;
    if (hour.records === this.#limit + 1) {
      this.#events.emit('team-records', { teamId, records: hour.records });
    }
  }

  refusal(teamId: string): ProblemError | undefined {
    const hour = this.#hours.get(teamId);
    if (
      hour === undefined ||
      hour.bytes < DISK_SHARE * (this.#disk?.space?.freeBytes ?? Infinity)
    ) {
      return undefined;
    }
    const leftMs = hour.beganMs + HOUR_MS - this.#now();
    return leftMs > 0 ? tooManyRequests(Math.ceil(leftMs / 1000)) : undefined;
  }
}
