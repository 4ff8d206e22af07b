import type { AccessEvents } from '../../access/access-events.ts';

const HOUR_MS = 3_600_000;

/** Counts the records of each team, and raises an alarm at most once an hour for a team with more than its share. */
export class TeamRecords {
  readonly #events: AccessEvents;
  readonly #limit: number;
  readonly #now: () => number;
  readonly #hours = new Map<string, { readonly beganMs: number; records: number }>();

  /** @param limit records of a team in an hour that are not yet too many */
  constructor(events: AccessEvents, limit: number, now: () => number = Date.now) {
    this.#events = events;
    this.#limit = limit;
    this.#now = now;
  }

  /** The hour of a team begins with its first record. The map has at most one entry per team with a key. */
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
