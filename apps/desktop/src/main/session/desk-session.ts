import type { Phase, Reason, Status } from '../../shared/app-state.ts';
import type { RequestOf } from '../../shared/channels.ts';
import type { OpenPatient } from '../../shared/people.ts';
import { done, failed } from '../../shared/problem.ts';
import type { Outcome, Problem, ProblemKind } from '../../shared/problem.ts';
import { known } from '../known.ts';
import { ReturnPlace } from '../lock/return-place.ts';
import { serviceAddress } from '../service/service-address.ts';
import type { PersonSession } from '../staff/person-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import { DEMO_PIN } from './demo.ts';
import type { Demo } from './demo.ts';

interface DeskSessionParts {
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStatus: (status: Status) => void;
  readonly onConnection: (state: 'online' | 'offline') => void;
}

type State =
  | { readonly phase: 'signedOut'; readonly reason?: Reason }
  | { readonly phase: 'locked'; readonly reason: Reason; readonly chosen?: string | undefined }
  | { readonly phase: 'signedIn'; readonly person: PersonSession };

type OpenBrowser = (url: string) => Promise<void>;

/**
 * Who is at the desk. Each change of the state, and each sign-in, unlock and request for emergency access, aborts the
 * operation in progress: its answer comes late, and signs nobody in, opens nothing and grants nothing.
 */
export class DeskSession {
  readonly #parts: DeskSessionParts;
  /** Everybody with a session at this desk by staff ID, in order of arrival. */
  readonly #people = new Map<string, PersonSession>();
  readonly #returnPlace = new ReturnPlace();
  #state: State = { phase: 'signedOut' };
  #operation = new AbortController();
  #signingIn = false;
  #address: string;
  /** Set in the settings during a session; used from the next sign-in on. */
  #nextAddress: string | undefined;
  /** The address of the last look-up. */
  #wantedAddress: string | undefined;

  constructor(parts: DeskSessionParts) {
    this.#parts = parts;
    this.#address = parts.address;
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** Whoever is at the desk; undefined while it is locked. */
  get person(): PersonSession | undefined {
    return this.#state.phase === 'signedIn' ? this.#state.person : undefined;
  }

  /** Why nobody's data can be read now. */
  get closed(): Exclude<Phase, 'signedIn'> | undefined {
    return this.#state.phase === 'signedIn' ? undefined : this.#state.phase;
  }

  /** At the provider's page, or until the service has answered what came of it. */
  get isSigningIn(): boolean {
    return this.#signingIn;
  }

  /** The status that the page gets: no token. */
  status(): Status {
    const { staff, demo, now } = this.#parts;
    const { phase, reason, chosen } = { reason: undefined, chosen: undefined, ...this.#state };
    const address = this.#address;
    const info = staff.info(address);
    const desk = staff.desk(address);
    const returning = phase === 'locked' ? this.#returnPlace.returning(now()) : undefined;
    return known({
      phase,
      reason,
      address,
      demo: demo && { staff: demo.staff, pin: DEMO_PIN },
      clinicName: info?.clinic_name,
      deskName: desk?.name,
      enrolled: desk !== undefined,
      provider: info?.provider && { name: info.provider.name },
      pin: info?.pin ?? { min: 6, max: 12 },
      people: [...this.#people.values()].map((person) => person.card()),
      current: this.person?.staffId,
      returning: returning && {
        staffId: returning.staffId,
        until: new Date(returning.until).toISOString(),
      },
      returnTo: phase === 'signedIn' ? this.#returnPlace.returnTo : undefined,
      chosen,
      signingIn: this.#signingIn,
      emergency: this.person?.emergency(Date.now()),
    });
  }

  async signInInfo(typed: string): Promise<Outcome<Status>> {
    const where = serviceAddress(typed);
    if ('problem' in where) return failed(where.problem);
    const { address } = where;
    this.#wantedAddress = address;
    const found = await this.#parts.staff.lookUp(address);
    if (!found.ok) return found;
    const isLate = this.#wantedAddress !== address || this.phase !== 'signedOut';
    if (isLate && address !== this.#address) return failed('cancelled');
    this.#useAddress(address);
    return done(this.#tell());
  }

  async enrolDesk({ address, code, name }: RequestOf<'enrolDesk'>): Promise<Outcome<Status>> {
    const { staff } = this.#parts;
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const enrolled = await staff.enrolDesk(where.address, code.trim(), name);
    if (!enrolled.ok) return enrolled;
    this.#useAddress(where.address);
    await staff.lookUp(where.address);
    return done(this.#tell());
  }

  beginSignIn(): Promise<Outcome<Status>> {
    const address = this.#address;
    return this.#signIn(address, (signal) => this.#parts.staff.byBrowser(address, signal));
  }

  /** Signs in one of the demo's made-up staff; `openBrowser` chooses them at its provider. */
  signInToDemo(address: string, openBrowser: OpenBrowser): Promise<Outcome<Status>> {
    return this.#signIn(address, async (signal) => {
      const begun = await this.#parts.staff.byBrowser(address, signal, openBrowser);
      if (begun.ok && !begun.value.card().pinSet) await begun.value.setPin(DEMO_PIN);
      return begun;
    });
  }

  async #signIn(
    address: string,
    begin: (signal: AbortSignal) => Promise<Outcome<PersonSession>>,
  ): Promise<Outcome<Status>> {
    if (this.phase === 'signedIn') return failed('refused');
    const signal = this.#startSigningIn();
    const begun = await begin(signal);
    if (signal.aborted) {
      if (begun.ok) begun.value.signOut();
      return failed('cancelled');
    }
    if (!begun.ok) {
      if (begun.problem.kind === 'deskRevoked') this.#revoked();
      else this.#endOperation();
      return begun;
    }
    if (address !== this.#address) this.#signOutAll();
    this.#address = address;
    // Whoever signs in begins anew.
    this.#returnPlace.forget();
    return this.#seat(begun.value);
  }

  /** Of a sign-in, or of a request for emergency access. */
  cancelSignIn(): Status {
    return this.#signingIn ? this.#endOperation() : this.#tell();
  }

  async unlockSession({ staffId, pin }: RequestOf<'unlockSession'>): Promise<Outcome<Status>> {
    const person = this.#people.get(staffId);
    if (this.phase !== 'locked' || person === undefined) return failed('signedOut');
    const signal = this.#startOperation();
    const problem = await person.unlock(pin, signal);
    const isThere = this.#people.get(staffId) === person;
    if (problem?.kind === 'deskRevoked' && isThere) this.#revoked();
    // The session ended at the service.
    if ((problem?.kind === 'expired' || problem?.kind === 'pinTriedOut') && isThere) {
      this.#remove(staffId, problem.kind === 'expired' ? 'expired' : 'asked');
    }
    if (problem !== undefined) return { ok: false, problem };
    this.#returnPlace.unlock(staffId, this.#parts.now());
    return this.#seat(person);
  }

  async setPin(pin: string): Promise<Outcome<Status>> {
    const { person } = this;
    if (person === undefined) return failed('signedOut');
    return this.#answered(person, await person.setPin(pin));
  }

  /** Locks for the next person; while locked, selects whose card is shown. */
  switchTo(staffId: string | undefined): Status {
    if (this.#state.phase === 'signedIn') this.lock('switched');
    if (this.#state.phase !== 'locked' || staffId === undefined) return this.status();
    if (staffId === this.#state.chosen || !this.#people.has(staffId)) return this.status();
    return this.#enter({ ...this.#state, chosen: staffId });
  }

  /** Selects a person, and unlocks nothing. */
  async readBadge(badge: string): Promise<Outcome<Status>> {
    const { signal } = this.#operation;
    const holder = await this.#parts.staff.readBadge(this.#address, badge);
    if (signal.aborted) return failed('cancelled');
    if (!holder.ok) {
      if (holder.problem.kind === 'deskRevoked') this.#revoked();
      return holder;
    }
    if (!this.#people.has(holder.value)) return failed('unknownBadge');
    return done(
      this.person?.staffId === holder.value ? this.status() : this.switchTo(holder.value),
    );
  }

  async askBreakGlass(request: RequestOf<'askBreakGlass'>): Promise<Outcome<Status>> {
    const { person } = this;
    if (person === undefined) return failed(this.closed ?? 'forbidden');
    const signal = this.#startSigningIn();
    const proof = await this.#parts.staff.freshProof(this.#address, signal);
    const problem = proof.ok
      ? await person.askBreakGlass(request, proof.value, signal)
      : proof.problem;
    if (!signal.aborted) this.#startOperation();
    return this.#answered(person, problem);
  }

  async endBreakGlass(): Promise<Outcome<Status>> {
    const { person } = this;
    if (person === undefined) return failed(this.closed ?? 'signedOut');
    return this.#answered(person, await person.endBreakGlass());
  }

  lock(reason: Reason): Status {
    const { person } = this;
    if (person === undefined) return this.#endOperation();
    this.#returnPlace.lock(person.staffId, this.#parts.now());
    void person.lock();
    return this.#enter({ phase: 'locked', reason, chosen: person.staffId });
  }

  /** Signs out the current person, or `staffId`; others stay. */
  signOut(reason: Reason, staffId = this.person?.staffId): Status {
    if (staffId !== undefined) return this.#remove(staffId, reason);
    // `tick` ends the others' sessions.
    if (reason !== 'asked' && this.#people.size > 0) return this.#endOperation();
    this.#signOutAll();
    return this.#leave(reason);
  }

  /** Before the program ends. */
  end(): void {
    this.#startOperation();
    this.#signOutAll();
    if (this.phase === 'signedIn') this.#leave('asked');
  }

  /** Call about every second: renews the current session, ends overdue ones. */
  tick(now: number): void {
    this.#returnPlace.tick(now);
    for (const { staffId, endsAt } of this.#people.values()) {
      if (endsAt <= now) this.#remove(staffId, 'limit');
    }
    const { person } = this;
    if (person === undefined) return;
    void person.keepAlive(now).then((problem) => {
      if (problem !== undefined) this.#noteProblem(person, problem);
    });
  }

  noteOpen(patient: OpenPatient | undefined): void {
    if (this.phase === 'signedIn') this.#returnPlace.noteOpen(patient);
  }

  /** What an answer of the service to the current person says about the connection and the session. */
  note(answer: Outcome<unknown>): void {
    const kind: ProblemKind | undefined = answer.ok ? undefined : answer.problem.kind;
    if (kind === undefined) this.#parts.onConnection('online');
    else if (kind === 'offline' || kind === 'addressNotFound') this.#parts.onConnection('offline');
    if (kind === 'expired') this.signOut('expired');
    if (kind === 'deskRevoked') this.#revoked();
    // Locked at the service by other means.
    if (kind === 'locked') this.lock('asked');
  }

  #startOperation(): AbortSignal {
    this.#operation.abort();
    this.#operation = new AbortController();
    this.#signingIn = false;
    return this.#operation.signal;
  }

  #startSigningIn(): AbortSignal {
    const signal = this.#startOperation();
    this.#signingIn = true;
    this.#tell();
    return signal;
  }

  #endOperation(): Status {
    this.#startOperation();
    return this.#tell();
  }

  #enter(state: State): Status {
    this.#state = state;
    return this.#endOperation();
  }

  #tell(): Status {
    const status = this.status();
    this.#parts.onStatus(status);
    return status;
  }

  /** An earlier session of the same person ends. */
  #seat(person: PersonSession): Outcome<Status> {
    const before = this.#people.get(person.staffId);
    if (before !== person) before?.signOut();
    this.#people.set(person.staffId, person);
    this.#parts.onConnection('online');
    return done(this.#enter({ phase: 'signedIn', person }));
  }

  #remove(staffId: string, reason: Reason): Status {
    const person = this.#people.get(staffId);
    this.#people.delete(staffId);
    person?.signOut();
    this.#returnPlace.forgetPerson(staffId);
    if (this.#people.size === 0) return this.#leave(reason);
    if (person !== undefined && person === this.person) {
      this.#returnPlace.forget();
      return this.#enter({ phase: 'locked', reason });
    }
    if (this.#state.phase === 'locked' && this.#state.chosen === staffId) {
      this.#state = { ...this.#state, chosen: undefined };
    }
    return this.#tell();
  }

  #revoked(): void {
    this.#parts.staff.forgetDesk(this.#address);
    this.#signOutAll();
    this.#leave('deskRevoked');
  }

  #signOutAll(): void {
    for (const person of this.#people.values()) person.signOut();
    this.#people.clear();
  }

  #leave(reason: Reason): Status {
    this.#returnPlace.forget();
    this.#address = this.#nextAddress ?? this.#address;
    this.#nextAddress = undefined;
    return this.#enter({ phase: 'signedOut', reason });
  }

  #useAddress(address: string): void {
    if (this.phase === 'signedOut') this.#address = address;
    else this.#nextAddress = address;
  }

  #answered(person: PersonSession, problem: Problem | undefined): Outcome<Status> {
    if (problem === undefined) return done(this.#tell());
    this.#noteProblem(person, problem);
    return { ok: false, problem };
  }

  /** Unless another session has replaced the person's. */
  #noteProblem(person: PersonSession, { kind }: Problem): void {
    if (this.person !== person) return;
    if (kind === 'expired') this.#remove(person.staffId, 'expired');
    else if (kind === 'deskRevoked') this.#revoked();
    else this.#tell();
  }
}
