import type { OpenPatient } from '../../shared/people.ts';

const maxAgeMs = 15 * 60_000;

interface ReturnPoint {
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
  #openPatient: OpenPatient | undefined;
  #returnPoint: ReturnPoint | undefined;
  #returnPatient: OpenPatient | undefined;

  /** The patient whom the person had open before the lock, until the page notes what it shows. */
  get returnTo(): OpenPatient | undefined {
    return this.#returnPatient;
  }

  noteOpen(patient: OpenPatient | undefined): void {
    this.#openPatient = patient;
    this.#returnPatient = undefined;
  }

  lock(staffId: string, now: number): void {
    const patient = this.#openPatient;
    this.forget();
    this.#returnPoint = patient && { staffId, patient, at: now };
  }

  /** Lets the same person return to the patient, and forgets the patient for anyone else. */
  unlock(staffId: string, now: number): void {
    const returnPoint = this.#getReturnPoint(now);
    this.forget();
    if (returnPoint?.staffId === staffId) this.#returnPatient = returnPoint.patient;
  }

  /** The person who can still return, and until when. */
  findReturningPerson(
    now: number,
  ): { readonly staffId: string; readonly until: number } | undefined {
    const returnPoint = this.#getReturnPoint(now);
    return returnPoint && { staffId: returnPoint.staffId, until: returnPoint.at + maxAgeMs };
  }

  /** Call about every second: forgets a patient to whom nobody can return any more. */
  tick(now: number): void {
    if (this.#getReturnPoint(now) === undefined) this.#returnPoint = undefined;
  }

  forget(): void {
    this.#openPatient = undefined;
    this.#returnPoint = undefined;
    this.#returnPatient = undefined;
  }

  forgetPerson(staffId: string): void {
    if (this.#returnPoint?.staffId === staffId) this.#returnPoint = undefined;
  }

  /** A clock that was set back counts as too late. */
  #getReturnPoint(now: number): ReturnPoint | undefined {
    const returnPoint = this.#returnPoint;
    if (returnPoint === undefined || now < returnPoint.at || now >= returnPoint.at + maxAgeMs)
      return undefined;
    return returnPoint;
  }
}
