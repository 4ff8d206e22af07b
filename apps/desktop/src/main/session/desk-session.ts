import type { Phase, Reason, Status } from '../../shared/app-state.ts';
import type { ChannelRequest } from '../../shared/channels.ts';
import type { OpenPatient } from '../../shared/people.ts';
import { succeed, fail } from '../../shared/problem.ts';
import type { Outcome, Problem, ProblemKind } from '../../shared/problem.ts';
import { ReturnPlace } from '../lock/return-place.ts';
import type { PersonSession } from '../staff/person-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import { ClinicAddress } from './clinic-address.ts';
import { DEMO_PIN, type Demo } from './demo.ts';
import { buildStatus, type DeskState } from './desk-status.ts';

interface DeskSessionParts {
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  readonly address: string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStatus: (status: Status) => void;
  readonly onConnection: (state: 'online' | 'offline') => void;
}

/**
 * The state machine of a desk: signed out, locked, or signed in. Each change of the state, and each sign-in, unlock and
 * request for emergency access aborts the operation in progress. A late answer therefore has no effect.
 */
export class DeskSession {
  readonly #parts: DeskSessionParts;
  /** All users with a session at this desk, by staff ID in the order of their sign-ins. */
  readonly #people = new Map<string, PersonSession>();
  readonly #returnPlace = new ReturnPlace();
  #state: DeskState = { phase: 'signedOut' };
  #operation = new AbortController();
  #signingIn = false;
  readonly #clinic: ClinicAddress;

  constructor(parts: DeskSessionParts) {
    this.#parts = parts;
    const { address, staff } = parts;
    this.#clinic = new ClinicAddress(address, staff, () => this.phase === 'signedOut');
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** The current user; undefined unless the desk is signed in. */
  get person(): PersonSession | undefined {
    return this.#state.phase === 'signedIn' ? this.#state.person : undefined;
  }

  /** The status for the page, which never includes a token. */
  getStatus(): Status {
    const { staff, demo, now } = this.#parts;
    const { address } = this.#clinic;
    return buildStatus({
      ...{ state: this.#state, people: [...this.#people.values()], returnPlace: this.#returnPlace },
      ...{ address, info: staff.getInfo(address), desk: staff.getDesk(address), demo },
      ...{ isSigningIn: this.#signingIn, now: now() },
    });
  }

  async fetchSignInInfo(input: string): Promise<Outcome<Status>> {
    const found = await this.#clinic.find(input);
    return found.ok ? succeed(this.#publish()) : found;
  }

  async enrolDesk(request: ChannelRequest<'enrolDesk'>): Promise<Outcome<Status>> {
    const enrolled = await this.#clinic.enrolDesk(request);
    return enrolled.ok ? succeed(this.#publish()) : enrolled;
  }

  /** `demo` signs in one of the demo's fictional users, whom `openBrowser` selects at the demo's provider. */
  async beginSignIn(demo?: {
    address: string;
    openBrowser: (url: string) => Promise<void>;
  }): Promise<Outcome<Status>> {
    if (this.phase === 'signedIn') return fail('refused');
    const address = demo?.address ?? this.#clinic.address;
    const signal = this.#startSigningIn();
    const result = await this.#parts.staff.signInByBrowser(address, signal, demo?.openBrowser);
    if (demo && result.ok && !result.value.toPerson().pinSet) await result.value.setPin(DEMO_PIN);
    if (signal.aborted) {
      if (result.ok) result.value.signOut();
      return fail('cancelled');
    }
    if (!result.ok) {
      if (result.problem.kind === 'deskRevoked') this.#handleRevokedDesk();
      else this.#endOperation();
      return result;
    }
    if (address !== this.#clinic.address) this.#signOutPeople();
    this.#clinic.address = address;
    // A patient is reopened only after an unlock by PIN.
    this.#returnPlace.forget();
    return this.#setCurrentUser(result.value);
  }

  /** Cancels a sign-in or a request for emergency access. */
  cancelSignIn(): Status {
    return this.#signingIn ? this.#endOperation() : this.#publish();
  }

  async unlockSession({ staffId, pin }: ChannelRequest<'unlockSession'>): Promise<Outcome<Status>> {
    const person = this.#people.get(staffId);
    if (this.phase !== 'locked' || person === undefined) return fail('signedOut');
    const signal = this.#startOperation();
    const problem = await person.unlock(pin, signal);
    const isCurrent = this.#people.get(staffId) === person;
    if (problem?.kind === 'deskRevoked' && isCurrent) this.#handleRevokedDesk();
    // In both cases the service has ended the session.
    if ((problem?.kind === 'expired' || problem?.kind === 'pinTriedOut') && isCurrent) {
      this.#remove(staffId, problem.kind === 'expired' ? 'expired' : 'manual');
    }
    if (problem !== undefined) return { ok: false, problem };
    this.#returnPlace.unlock(staffId, this.#parts.now());
    return this.#setCurrentUser(person);
  }

  async setPin(pin: string): Promise<Outcome<Status>> {
    const state = this.#state;
    if (state.phase !== 'signedIn') return fail(state.phase);
    return this.#toOutcome(state.person, await state.person.setPin(pin));
  }

  /** Locks the desk and selects the user whose PIN is needed. */
  switchTo(staffId: string | undefined): Status {
    if (this.#state.phase === 'signedIn') this.lock('switched');
    if (this.#state.phase !== 'locked' || staffId === undefined) return this.getStatus();
    if (staffId === this.#state.selectedStaffId || !this.#people.has(staffId))
      return this.getStatus();
    return this.#setState({ ...this.#state, selectedStaffId: staffId });
  }

  /** Selects the badge's owner without unlocking the desk. */
  async readBadge(badge: string): Promise<Outcome<Status>> {
    const { signal } = this.#operation;
    const holder = await this.#parts.staff.readBadge(this.#clinic.address, badge);
    if (signal.aborted) return fail('cancelled');
    if (!holder.ok) {
      if (holder.problem.kind === 'deskRevoked') this.#handleRevokedDesk();
      return holder;
    }
    if (!this.#people.has(holder.value)) return fail('unknownBadge');
    return succeed(
      this.person?.staffId === holder.value ? this.getStatus() : this.switchTo(holder.value),
    );
  }

  async askBreakGlass(request: ChannelRequest<'askBreakGlass'>): Promise<Outcome<Status>> {
    const state = this.#state;
    if (state.phase !== 'signedIn') return fail(state.phase);
    const { person } = state;
    const signal = this.#startSigningIn();
    const proof = await this.#parts.staff.requestFreshProof(this.#clinic.address, signal);
    const problem = proof.ok
      ? await person.askBreakGlass(request, proof.value, signal)
      : proof.problem;
    if (!signal.aborted) this.#startOperation();
    return this.#toOutcome(person, problem);
  }

  async endBreakGlass(): Promise<Outcome<Status>> {
    const state = this.#state;
    if (state.phase !== 'signedIn') return fail(state.phase);
    return this.#toOutcome(state.person, await state.person.endBreakGlass());
  }

  lock(reason: Reason): Status {
    const { person } = this;
    if (person === undefined) return this.#endOperation();
    this.#returnPlace.lock(person.staffId, this.#parts.now());
    void person.lock();
    return this.#setState({ phase: 'locked', reason, selectedStaffId: person.staffId });
  }

  /** Signs out the current user, or the one with `staffId`. Other users stay signed in. */
  signOut(reason: Reason, staffId = this.person?.staffId): Status {
    if (staffId !== undefined) return this.#remove(staffId, reason);
    // `tick` ends the sessions of the other users.
    if (reason !== 'manual' && this.#people.size > 0) return this.#endOperation();
    return this.#signOutDesk(reason);
  }

  /** Call this before the program ends. */
  end(): void {
    this.#startOperation();
    this.#signOutPeople();
    if (this.phase === 'signedIn') this.#signOutDesk('manual');
  }

  /** Call this about every second. Renews the current session and ends those past their limit. */
  tick(now: number): void {
    this.#returnPlace.tick(now);
    for (const { staffId, endsAt } of [...this.#people.values()]) {
      if (endsAt <= now) this.#remove(staffId, 'limit');
    }
    const { person } = this;
    if (person === undefined) return;
    void person.keepAlive(now).then((problem) => {
      if (problem !== undefined) this.#handleProblem(person, problem);
    });
  }

  noteOpen(patient: OpenPatient | undefined): void {
    if (this.phase === 'signedIn') this.#returnPlace.noteOpen(patient);
  }

  /** Updates the connection state and the session after each answer of the service. */
  noteAnswer(answer: Outcome<unknown>): void {
    const kind: ProblemKind | undefined = answer.ok ? undefined : answer.problem.kind;
    if (kind === undefined) this.#parts.onConnection('online');
    else if (kind === 'offline' || kind === 'addressNotFound') this.#parts.onConnection('offline');
    if (kind === 'expired') this.signOut('expired');
    if (kind === 'deskRevoked') this.#handleRevokedDesk();
    // The service has locked the session.
    if (kind === 'locked') this.lock('manual');
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
    this.#publish();
    return signal;
  }

  #endOperation(): Status {
    this.#startOperation();
    return this.#publish();
  }

  #setState(state: DeskState): Status {
    this.#state = state;
    return this.#endOperation();
  }

  #publish(): Status {
    const status = this.getStatus();
    this.#parts.onStatus(status);
    return status;
  }

  #setCurrentUser(person: PersonSession): Outcome<Status> {
    // The same user may have an earlier session, which ends now.
    const earlier = this.#people.get(person.staffId);
    if (earlier !== person) earlier?.signOut();
    this.#people.set(person.staffId, person);
    this.#parts.onConnection('online');
    return succeed(this.#setState({ phase: 'signedIn', person }));
  }

  #remove(staffId: string, reason: Reason): Status {
    const person = this.#people.get(staffId);
    this.#people.delete(staffId);
    person?.signOut();
    this.#returnPlace.forgetPerson(staffId);
    if (this.#people.size === 0) return this.#signOutDesk(reason);
    if (person !== undefined && person === this.person) {
      this.#returnPlace.forget();
      return this.#setState({ phase: 'locked', reason });
    }
    if (this.#state.phase === 'locked' && this.#state.selectedStaffId === staffId) {
      this.#state = { ...this.#state, selectedStaffId: undefined };
    }
    return this.#publish();
  }

  #signOutPeople(): void {
    for (const person of this.#people.values()) person.signOut();
    this.#people.clear();
  }

  #handleRevokedDesk(): void {
    this.#parts.staff.forgetDesk(this.#clinic.address);
    this.#signOutDesk('deskRevoked');
  }

  #signOutDesk(reason: Reason): Status {
    this.#signOutPeople();
    this.#returnPlace.forget();
    this.#clinic.applyNext();
    return this.#setState({ phase: 'signedOut', reason });
  }

  #toOutcome(person: PersonSession, problem: Problem | undefined): Outcome<Status> {
    if (problem === undefined) return succeed(this.#publish());
    this.#handleProblem(person, problem);
    return { ok: false, problem };
  }

  /** Ignores a problem of a session that is no longer the current one. */
  #handleProblem(person: PersonSession, { kind }: Problem): void {
    if (this.person !== person) return;
    if (kind === 'expired') this.#remove(person.staffId, 'expired');
    else if (kind === 'deskRevoked') this.#handleRevokedDesk();
    else this.#publish();
  }
}
