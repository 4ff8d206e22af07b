import type { AccessEvents } from '../../access/access-events.ts';

const HOUR_MS = 3_600_000;

/** Raises an alarm, at most once an hour, for a team with more than `limit` records in an hour. */
export class TeamRecords {
  readonly #events: AccessEvents;
  readonly #limit: number;
  readonly #now: () => number;
  readonly #hours = new Map<string, { readonly beganMs: number; records: number }>();

  constructor(events: AccessEvents, limit: number, now: () => number = Date.now) {
    this.#events = events;
    this.#limit = limit;
    this.#now = now;
  }

  /** The hour of a team begins with its first record. */
  recorded(teamId: string): void {
    const now = this.#now();
    let hour = this.#hours.get(teamId);
    if (hour === undefined || now - hour.beganMs >= HOUR_MS) {
      hour = { beganMs: now, records: 0 };
      this.#hours.set(teamId, hour);
    }
    hour.records += 1;
    if (hour.records === this.#limit + 1) {
      this.#events.emit('team-records', { teamId, records: hour.records });
    }
  }
}
