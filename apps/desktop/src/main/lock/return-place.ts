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
  /** The patient on the current user's screen. */
  #open: OpenPatient | undefined;
  #left: Left | undefined;
  #returning: OpenPatient | undefined;

  /** The patient whom the person had open before the lock, until the page notes what it shows. */
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

  /** Lets the same person return to the patient, and forgets the patient for anyone else. */
  unlock(staffId: string, now: number): void {
    const left = this.#leftAt(now);
    this.forget();
    if (left?.staffId === staffId) this.#returning = left.patient;
  }

  /** The person who can still return, and until when. */
  returning(now: number): { readonly staffId: string; readonly until: number } | undefined {
    const left = this.#leftAt(now);
    return left && { staffId: left.staffId, until: left.at + longestMs };
  }

  /** Call about every second: forgets a patient to whom nobody can return any more. */
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
