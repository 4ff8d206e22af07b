import { createHash, timingSafeEqual } from 'node:crypto';
import type { Phase, Reason, Status } from '../../bridge/app-state.ts';
import { known } from '../../bridge/schema.ts';
import { failed } from '../../bridge/problem.ts';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import { keyIdOf } from '../service/service-address.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { People } from '../staff/people.ts';
import type { PersonSession } from '../staff/person-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import type { Demo } from './demo.ts';
import type { KeyStore } from './key-store.ts';

export interface DeskParts {
  readonly keyStore: KeyStore;
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  readonly address: string;
  readonly onStatus: (status: Status) => void;
  readonly onConnection: (state: 'online' | 'offline') => void;
}

/** The staff key at the desk; the key itself is only in its `ServiceSession`. */
interface KeyAtDesk {
  readonly id: string | undefined;
  readonly digest: Buffer;
}

export class Desk {
  readonly people = new People();
  readonly #parts: DeskParts;
  #address: string;
  #phase: Phase = 'signedOut';
  #reason: Reason | undefined;
  #service: ServiceSession | undefined;
  #key: KeyAtDesk | undefined;
  /** Whose key is saved at their sign-out. */
  #keyHolder: string | undefined;
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

  /** Of the current user; while locked, of the key that can unlock it. */
  get service(): ServiceSession | undefined {
    return this.#service;
  }

  get endsAt(): number | undefined {
    return this.people.current?.endsAt;
  }

  get closed(): Exclude<Phase, 'signedIn'> | undefined {
    return this.#phase === 'signedIn' ? undefined : this.#phase;
  }

  /** Whether a saved key can sign in now; or, while signed in, after a sign-out. */
  get isKeySaved(): boolean {
    const { keyStore } = this.#parts;
    switch (this.#phase) {
      case 'signedOut':
        return keyStore.load(this.#address) !== undefined;
      case 'signedIn':
        return keyStore.isStaged();
      case 'locked':
        return false;
    }
  }

  /** The status that the page gets: no key, no token. */
  status(): Status {
    const { keyStore, staff, demo } = this.#parts;
    const address = this.#address;
    const { current, chosen } = this.people;
    const info = staff.info(address);
    const desk = staff.desk(address);
    return known({
      phase: this.#phase,
      reason: this.#reason,
      address,
      keyId: this.#key?.id,
      demo: demo && {
        roles: Object.keys(demo.keys),
        sampleClientUserId: demo.sampleClientUserId,
      },
      canSaveKey: keyStore.canSave(),
      keySaved: this.isKeySaved,
      clinicName: info?.clinic_name,
      clinicTimeZone: info?.clinic_time_zone,
      deskName: desk?.name,
      enrolled: desk !== undefined,
      provider: info?.provider && { name: info.provider.name },
      keys: info?.keys ?? true,
      pin: info?.pin ?? { min: 6, max: 12 },
      people: this.people.cards(),
      current: current?.staffId,
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

  /** Puts a person at the desk unless something else happened since `turn`; `byKey`: their key is staged. */
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

  /** Throws if another's saved key can't be deleted; then nobody is at the desk. */
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

  unlock(key: string): Outcome<Status> {
    if (this.#phase !== 'locked' || this.#key === undefined) return failed('signedOut');
    if (!timingSafeEqual(digest(key.trim()), this.#key.digest)) return failed('invalidKey');
    this.#turn += 1;
    this.#phase = 'signedIn';
    this.#reason = undefined;
    return this.done();
  }

  /** Signs out the current user, or `staffId`; others stay. Only a requested sign-out, and not from the lock, saves a key. */
  signOut(reason: Reason, staffId?: string): Status {
    const person = staffId ?? this.people.current?.staffId;
    if (person !== undefined) return this.remove(person, reason);
    if (this.#phase === 'signedIn' && reason === 'asked') this.#parts.keyStore.save();
    else this.#parts.keyStore.discard();
    this.#turn += 1;
    this.#parts.staff.cancel();
    // `tick` ends the others' sessions.
    if (reason !== 'asked' && !this.people.isEmpty) return this.status();
    this.people.signOutAll();
    this.#leave('signedOut', reason);
    return this.tell();
  }

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

  end(): void {
    this.#parts.staff.cancel();
    this.people.signOutAll();
    if (this.#phase === 'signedIn') this.signOut('asked');
  }

  /** Call about every second: renews the current session, ends overdue ones. */
  tick(now: number): void {
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

  /** Nobody else's saved key survives a sign-in. */
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
