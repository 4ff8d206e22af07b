import type { OpenPatient } from '../../shared/people.ts';

const maxAgeMs = 15 * 60_000;

interface ReturnPoint {
  readonly staffId: string;
  readonly patient: OpenPatient;
  readonly at: number;
}

/**
 * Remembers which patient a user had open when the desk was locked, so that an unlock by PIN within 15 minutes reopens
 * the patient. It is kept in memory only.
 *
 * Times are in milliseconds since the epoch.
 */
export class ReturnPlace {
  /** The patient on the current user's screen. */
  #openPatient: OpenPatient | undefined;
  #returnPoint: ReturnPoint | undefined;
  #returnPatient: OpenPatient | undefined;

  /** The patient whom the page has to reopen after an unlock; undefined once the page has reported what it shows. */
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

  /** Lets the same user return to the patient. For any other user, the patient is forgotten. */
  unlock(staffId: string, now: number): void {
    const returnPoint = this.#getReturnPoint(now);
    this.forget();
    if (returnPoint?.staffId === staffId) this.#returnPatient = returnPoint.patient;
  }

  /** The user who can return to a patient, and the time until which they can. */
  findReturningPerson(
    now: number,
  ): { readonly staffId: string; readonly until: number } | undefined {
    const returnPoint = this.#getReturnPoint(now);
    return returnPoint && { staffId: returnPoint.staffId, until: returnPoint.at + maxAgeMs };
  }

  /** Call this about every second. Forgets the patient once the time to return is over. */
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

  /** If the clock was set back, the time to return counts as over. */
  #getReturnPoint(now: number): ReturnPoint | undefined {
    const returnPoint = this.#returnPoint;
    if (returnPoint === undefined || now < returnPoint.at || now >= returnPoint.at + maxAgeMs)
      return undefined;
    return returnPoint;
  }
}
