import { createHash, timingSafeEqual } from 'node:crypto';
import type { Phase, Reason, Status } from '../../bridge/app-state.ts';
import { failed } from '../../bridge/problem.ts';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import { keyIdOf } from '../service/service-address.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { People } from '../staff/people.ts';
import type { PersonSession } from '../staff/person-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import type { Demo } from './demo.ts';
import { statusOf } from './desk-status.ts';
import type { KeyStore } from './key-store.ts';

export interface DeskParts {
  readonly keyStore: KeyStore;
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  /** Address of the last sign-in, from the settings. */
  readonly address: string;
  /** Called after every change, and with whether the service was reached. */
  readonly onStatus: (status: Status) => void;
  readonly onConnection: (state: 'online' | 'offline') => void;
}

/** The staff key that is at the desk; the key itself is in its `ServiceSession` alone. */
interface KeyAtDesk {
  /** Its public part; undefined for a key of another form. */
  readonly id: string | undefined;
  /** To compare with at unlocking. */
  readonly digest: Buffer;
}

/** Who is at this desk: nobody, a person or a staff key, signed in or locked. Only it changes that. */
export class Desk {
  readonly people = new People();
  readonly #parts: DeskParts;
  #address: string;
  #phase: Phase = 'signedOut';
  #reason: Reason | undefined;
  #service: ServiceSession | undefined;
  #key: KeyAtDesk | undefined;
  /** Whose own key is to be saved at their sign-out. */
  #keyHolder: string | undefined;
  /** Counts what puts somebody at the desk or takes them away: what began before is worth nothing after. */
  #turn = 0;
  /** Chosen in the settings while signed in elsewhere. */
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

  /** Of whoever is at the desk; while locked, of the key that can unlock it. */
  get service(): ServiceSession | undefined {
    return this.#service;
  }

  /** When the longest sign-in of whoever is at the desk ends; undefined for a key. */
  get endsAt(): number | undefined {
    return this.people.current?.endsAt;
  }

  /** Why nobody can call the service now; undefined where somebody can. */
  get closed(): Exclude<Phase, 'signedIn'> | undefined {
    return this.#phase === 'signedIn' ? undefined : this.#phase;
  }

  status(): Status {
    const { keyStore, staff, demo } = this.#parts;
    return statusOf({
      phase: this.#phase,
      reason: this.#reason,
      address: this.#address,
      keyId: this.#key?.id,
      keyStore,
      staff,
      demo,
      people: this.people,
    });
  }

  /** Tells the status as it is now. */
  tell(): Status {
    const status = this.status();
    this.#parts.onStatus(status);
    return status;
  }

  done(): Outcome<Status> {
    return { ok: true, value: this.tell() };
  }

  /** The last that was given: to see later whether it still is. */
  get turn(): number {
    return this.#turn;
  }

  /** Begins what may put somebody at the desk; gives its number. */
  nextTurn(): number {
    this.#turn += 1;
    return this.#turn;
  }

  /** Whether nobody came, left or began to come since. */
  isTurn(turn: number): boolean {
    return turn === this.#turn;
  }

  /** Puts a staff key at the desk; everybody else's session ends. */
  seatKey(service: ServiceSession, key: string): Outcome<Status> {
    this.people.signOutAll();
    this.#keyHolder = undefined;
    this.#leave('signedOut', 'asked');
    this.#turn += 1;
    this.#service = service;
    this.#address = service.address;
    this.#nextAddress = undefined;
    this.#key = { id: keyIdOf(key), digest: digest(key) };
    this.#phase = 'signedIn';
    this.#reason = undefined;
    const status = this.tell();
    this.#parts.onConnection('online');
    return { ok: true, value: status };
  }

  /** Puts somebody at the desk whose sign-in at this address began with this turn; `byKey`: their key is staged. */
  arrive(
    person: PersonSession,
    turn: number,
    address: string,
    { byKey }: { readonly byKey: boolean },
  ): Outcome<Status> {
    if (!this.isTurn(turn)) {
      person.signOut();
      this.tell();
      return failed('cancelled');
    }
    if (address !== this.#address) this.people.signOutAll();
    this.#address = address;
    this.#keyHolder = byKey ? person.staffId : undefined;
    return this.seat(person);
  }

  /** Throws where somebody else's saved key can't be removed: then nobody is at the desk. */
  seat(person: PersonSession): Outcome<Status> {
    if (person.staffId !== this.#keyHolder) this.#forgetKey(person);
    this.#turn += 1;
    this.#service?.end();
    this.#key = undefined;
    this.people.seat(person);
    this.#service = person.service;
    this.#phase = 'signedIn';
    this.#reason = undefined;
    this.#parts.onConnection('online');
    return this.done();
  }

  /** Locks where someone is signed in. Cancels pending calls, and a sign-in under way. */
  lock(reason: Reason): Status {
    this.#turn += 1;
    this.#parts.staff.cancel();
    if (this.#phase !== 'signedIn') return this.status();
    this.#phase = 'locked';
    this.#reason = reason;
    this.#service?.cancelAll();
    if (this.people.current !== undefined) {
      this.people.lock();
      this.#service = undefined;
    }
    return this.tell();
  }

  /** By the staff key that locked it. */
  unlock(key: string): Outcome<Status> {
    if (this.#phase !== 'locked' || this.#key === undefined) return failed('signedOut');
    if (!timingSafeEqual(digest(key.trim()), this.#key.digest)) return failed('invalidKey');
    this.#turn += 1;
    this.#phase = 'signedIn';
    this.#reason = undefined;
    return this.done();
  }

  /**
   * Signs out whoever is at the desk, or the one whose card is named; others stay. A key is saved, where that was
   * chosen, only on a sign-out that was requested and not from the lock.
   */
  signOut(reason: Reason, staffId?: string): Status {
    const person = staffId ?? this.people.current?.staffId;
    if (person !== undefined) return this.remove(person, reason);
    if (this.#phase === 'signedIn' && reason === 'asked') this.#parts.keyStore.save();
    else this.#parts.keyStore.discard();
    this.#turn += 1;
    this.#parts.staff.cancel();
    // Time ends only what it is over for, which `tick` sees to.
    if (reason !== 'asked' && !this.people.isEmpty) return this.status();
    this.people.signOutAll();
    this.#leave('signedOut', reason);
    return this.tell();
  }

  /** One person leaves; the desk is locked for those who stay, and empty without any. */
  remove(staffId: string, reason: Reason): Status {
    const wasCurrent = this.people.current?.staffId === staffId;
    if (staffId === this.#keyHolder) {
      if (wasCurrent && reason === 'asked') this.#parts.keyStore.save();
      else this.#parts.keyStore.discard();
      this.#keyHolder = undefined;
    }
    this.people.signOut(staffId);
    if (wasCurrent) {
      this.#turn += 1;
      this.#parts.staff.cancel();
      this.#service = undefined;
    }
    if (this.people.isEmpty && this.#key === undefined) this.#leave('signedOut', reason);
    else if (wasCurrent) {
      this.#phase = 'locked';
      this.#reason = reason;
    }
    return this.tell();
  }

  /** The service knows this desk no more: nobody stays at it, and an enrolment code is asked for. */
  revoked(): Status {
    this.#parts.staff.forgetDesk(this.#address);
    this.#parts.keyStore.discard();
    this.#keyHolder = undefined;
    this.#turn += 1;
    this.#parts.staff.cancel();
    this.people.signOutAll();
    this.#leave('signedOut', 'deskRevoked');
    return this.tell();
  }

  /** An ordinary end of the program counts as a requested sign-out, of everybody. */
  end(): void {
    this.#parts.staff.cancel();
    this.people.signOutAll();
    if (this.#phase === 'signedIn') this.signOut('asked');
  }

  /** To be called about every second: renews the session of whoever is at the desk, and ends what is overdue. */
  tick(now: number): void {
    for (const staffId of this.people.overdue(now)) this.remove(staffId, 'limit');
    const person = this.people.current;
    if (person === undefined) return;
    void person.keepAlive(now).then((problem) => {
      // Not by the late answer to an earlier session of the same person.
      const isHere = this.people.current === person;
      if (problem?.kind === 'expired' && isHere) this.remove(person.staffId, 'expired');
      if (problem?.kind === 'deskRevoked' && isHere) this.revoked();
    });
  }

  /** The address to sign in to, from the next sign-in on. */
  useAddress(address: string): void {
    if (this.#phase !== 'signedOut') this.#nextAddress = address;
    else if (address !== this.#address) {
      this.#address = address;
      this.tell();
    }
  }

  /** What the answer to a call of whoever is at the desk says about their session and the connection. */
  note(answer: Outcome<unknown>): void {
    const kind: ProblemKind | undefined = answer.ok ? undefined : answer.problem.kind;
    if (kind === undefined) this.#parts.onConnection('online');
    else if (kind === 'offline') this.#parts.onConnection('offline');
    if (kind === 'expired') this.signOut('expired');
    if (kind === 'deskRevoked') this.revoked();
    // Locked there, by another way than this desk's: it is locked here as well.
    if (kind === 'locked') this.lock('asked');
  }

  /** A key that somebody else saved, or would, opens nothing after the lock of whoever comes now. */
  #forgetKey(comer: PersonSession): void {
    this.#keyHolder = undefined;
    try {
      this.#parts.keyStore.delete();
    } catch (error) {
      void comer.lock();
      throw error;
    }
  }

  #leave(phase: Phase, reason: Reason): void {
    this.#service?.end();
    this.#service = undefined;
    this.#key = undefined;
    this.#phase = phase;
    this.#reason = reason;
    this.#address = this.#nextAddress ?? this.#address;
    this.#nextAddress = undefined;
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
