import type { OpenPatient } from '../../shared/people.ts';

const longestMs = 15 * 60_000;

interface Left {
  readonly staffId: string;
  readonly patient: OpenPatient;
  readonly at: number;
}

/**
 * Which patient a person had on the screen at the lock, for their return by PIN within 15 minutes. In memory only.
 *
 * Times are in milliseconds since the epoch.
 */
export class ReturnPlace {
  /** On the screen of whoever is at the desk. */
  #open: OpenPatient | undefined;
  #left: Left | undefined;
  #returning: OpenPatient | undefined;

  /** What the person who has just unlocked had open, until the page notes what it shows. */
  get returnTo(): OpenPatient | undefined {
    return this.#returning;
  }

  noteOpen(patient: OpenPatient | undefined): void {
    this.#open = patient;
    this.#returning = undefined;
  }

  lock(staffId: string, now: number): void {
    const patient = this.#open;
    this.forget();
    this.#left = patient && { staffId, patient, at: now };
  }

  /** The person returns to what they left; anybody else leaves nothing of it. */
  unlock(staffId: string, now: number): void {
    const left = this.#leftAt(now);
    this.forget();
    if (left?.staffId === staffId) this.#returning = left.patient;
  }

  /** Who can still return, and until when. */
  returning(now: number): { readonly staffId: string; readonly until: number } | undefined {
    const left = this.#leftAt(now);
    return left && { staffId: left.staffId, until: left.at + longestMs };
  }

  /** Call about every second: nothing is kept longer than it counts. */
  tick(now: number): void {
    if (this.#leftAt(now) === undefined) this.#left = undefined;
  }

  forget(): void {
    this.#open = undefined;
    this.#left = undefined;
    this.#returning = undefined;
  }

  forgetPerson(staffId: string): void {
    if (this.#left?.staffId === staffId) this.#left = undefined;
  }

  /** A clock that was set back counts as too late. */
  #leftAt(now: number): Left | undefined {
    const left = this.#left;
    if (left === undefined || now < left.at || now >= left.at + longestMs) return undefined;
    return left;
  }
}
