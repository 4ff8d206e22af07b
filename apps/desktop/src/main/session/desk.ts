import type { Phase, Reason, Status } from '../../shared/app-state.ts';
import type { OpenPatient } from '../../shared/people.ts';
import { known } from '../known.ts';
import { ReturnPlace } from '../lock/return-place.ts';
import { failed } from '../../shared/problem.ts';
import type { Outcome, ProblemKind } from '../../shared/problem.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { People } from '../staff/people.ts';
import type { PersonSession } from '../staff/person-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import { DEMO_PIN } from './demo.ts';
import type { Demo } from './demo.ts';

export interface DeskParts {
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStatus: (status: Status) => void;
  readonly onConnection: (state: 'online' | 'offline') => void;
}

export class Desk {
  readonly people = new People();
  readonly #parts: DeskParts;
  readonly #returnPlace = new ReturnPlace();
  #address: string;
  #phase: Phase = 'signedOut';
  #reason: Reason | undefined;
  #service: ServiceSession | undefined;
  /** Increases whenever somebody comes or leaves, to detect late results. */
  #turn = 0;
  /** Set in the settings during a session; used from the next sign-in on. */
  #nextAddress: string | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#address = parts.address;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get address(): string {
    return this.#address;
  }

  /** Of the current person. */
  get service(): ServiceSession | undefined {
    return this.#service;
  }

  get endsAt(): number | undefined {
    return this.people.current?.endsAt;
  }

  get closed(): Exclude<Phase, 'signedIn'> | undefined {
    return this.#phase === 'signedIn' ? undefined : this.#phase;
  }

  /** The status that the page gets: no token. */
  status(): Status {
    const { staff, demo, now } = this.#parts;
    const returning = this.#phase === 'locked' ? this.#returnPlace.returning(now()) : undefined;
    const address = this.#address;
    const { current, chosen } = this.people;
    const info = staff.info(address);
    const desk = staff.desk(address);
    return known({
      phase: this.#phase,
      reason: this.#reason,
      address,
      demo: demo && { staff: [...demo.staff], pin: DEMO_PIN },
      clinicName: info?.clinic_name,
      deskName: desk?.name,
      enrolled: desk !== undefined,
      provider: info?.provider && { name: info.provider.name },
      pin: info?.pin ?? { min: 6, max: 12 },
      people: this.people.cards(),
      current: current?.staffId,
      returning: returning && {
        staffId: returning.staffId,
        until: new Date(returning.until).toISOString(),
      },
      returnTo: this.#phase === 'signedIn' ? this.#returnPlace.returnTo : undefined,
      chosen,
      signingIn: staff.isPending,
      emergency: this.people.emergency(Date.now()),
    });
  }

  tell(): Status {
    const status = this.status();
    this.#parts.onStatus(status);
    return status;
  }

  done(): Outcome<Status> {
    return { ok: true, value: this.tell() };
  }

  get turn(): number {
    return this.#turn;
  }

  /** Starts what may bring somebody to the desk. */
  nextTurn(): number {
    this.#turn += 1;
    return this.#turn;
  }

  isTurn(turn: number): boolean {
    return turn === this.#turn;
  }

  /** Puts a person at the desk unless something else happened since `turn`. */
  arrive(person: PersonSession, turn: number, address: string): Outcome<Status> {
    if (!this.isTurn(turn)) {
      person.signOut();
      this.tell();
      return failed('cancelled');
    }
    if (address !== this.#address) this.people.signOutAll();
    this.#address = address;
    // Whoever signs in begins anew.
    this.#returnPlace.forget();
    return this.#seat(person);
  }

  /** The person's PIN was right. */
  unlock(person: PersonSession): Outcome<Status> {
    this.#returnPlace.unlock(person.staffId, this.#parts.now());
    return this.#seat(person);
  }

  #seat(person: PersonSession): Outcome<Status> {
    this.#turn += 1;
    this.people.seat(person);
    this.#service = person.service;
    this.#phase = 'signedIn';
    this.#reason = undefined;
    this.#parts.onConnection('online');
    return this.done();
  }

  lock(reason: Reason): Status {
    this.#turn += 1;
    this.#parts.staff.cancel();
    if (this.#phase !== 'signedIn') return this.status();
    this.#phase = 'locked';
    this.#reason = reason;
    const { current } = this.people;
    if (current !== undefined) this.#returnPlace.lock(current.staffId, this.#parts.now());
    this.people.lock();
    this.#service = undefined;
    return this.tell();
  }

  /** Signs out the current person, or `staffId`; others stay. */
  signOut(reason: Reason, staffId?: string): Status {
    const person = staffId ?? this.people.current?.staffId;
    if (person !== undefined) return this.remove(person, reason);
    this.#turn += 1;
    this.#parts.staff.cancel();
    // `tick` ends the others' sessions.
    if (reason !== 'asked' && !this.people.isEmpty) return this.status();
    this.people.signOutAll();
    this.#leave(reason);
    return this.tell();
  }

  remove(staffId: string, reason: Reason): Status {
    const wasCurrent = this.people.current?.staffId === staffId;
    this.people.signOut(staffId);
    this.#returnPlace.forgetPerson(staffId);
    if (wasCurrent) {
      this.#returnPlace.forget();
      this.#turn += 1;
      this.#parts.staff.cancel();
      this.#service = undefined;
    }
    if (this.people.isEmpty) this.#leave(reason);
    else if (wasCurrent) {
      this.#phase = 'locked';
      this.#reason = reason;
    }
    return this.tell();
  }

  revoked(): Status {
    this.#parts.staff.forgetDesk(this.#address);
    this.#turn += 1;
    this.#parts.staff.cancel();
    this.people.signOutAll();
    this.#leave('deskRevoked');
    return this.tell();
  }

  end(): void {
    this.#parts.staff.cancel();
    this.people.signOutAll();
    if (this.#phase === 'signedIn') this.signOut('asked');
  }

  /** Call about every second: renews the current session, ends overdue ones. */
  tick(now: number): void {
    this.#returnPlace.tick(now);
    for (const staffId of this.people.overdue(now)) this.remove(staffId, 'limit');
    const person = this.people.current;
    if (person === undefined) return;
    void person.keepAlive(now).then((problem) => {
      // Unless a newer session replaced it.
      const isHere = this.people.current === person;
      if (problem?.kind === 'expired' && isHere) this.remove(person.staffId, 'expired');
      if (problem?.kind === 'deskRevoked' && isHere) this.revoked();
    });
  }

  noteOpen(patient: OpenPatient | undefined): void {
    if (this.#phase === 'signedIn') this.#returnPlace.noteOpen(patient);
  }

  useAddress(address: string): void {
    if (this.#phase !== 'signedOut') this.#nextAddress = address;
    else if (address !== this.#address) {
      this.#address = address;
      this.tell();
    }
  }

  note(answer: Outcome<unknown>): void {
    const kind: ProblemKind | undefined = answer.ok ? undefined : answer.problem.kind;
    if (kind === undefined) this.#parts.onConnection('online');
    else if (kind === 'offline' || kind === 'addressNotFound') this.#parts.onConnection('offline');
    if (kind === 'expired') this.signOut('expired');
    if (kind === 'deskRevoked') this.revoked();
    // Locked at the service by other means.
    if (kind === 'locked') this.lock('asked');
  }

  #leave(reason: Reason): void {
    this.#returnPlace.forget();
    this.#service = undefined;
    this.#phase = 'signedOut';
    this.#reason = reason;
    this.#address = this.#nextAddress ?? this.#address;
    this.#nextAddress = undefined;
  }
}
