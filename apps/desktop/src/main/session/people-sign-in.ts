import type { Status } from '../../shared/app-state.ts';
import type { RequestOf } from '../../shared/channels.ts';
import { failed } from '../../shared/problem.ts';
import type { Outcome, Problem } from '../../shared/problem.ts';
import { serviceAddress } from '../service/service-address.ts';
import type { PersonSession } from '../staff/person-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import type { Desk } from './desk.ts';

interface PinCheck {
  readonly turn: number;
  readonly over: Promise<unknown>;
}

export class PeopleSignIn {
  readonly #desk: Desk;
  readonly #staff: StaffSignIn;
  /** Detects late answers to `signInInfo`. */
  #lookUps = 0;
  /** The turn of a pending sign-in by browser. */
  #beginning: number | undefined;
  readonly #checks = new Map<PersonSession, PinCheck>();
  #asking: AbortController | undefined;

  constructor(desk: Desk, staff: StaffSignIn) {
    this.#desk = desk;
    this.#staff = staff;
  }

  /** At the provider's page, or while the service makes the session. */
  get isBeginning(): boolean {
    return this.#beginning !== undefined;
  }

  async signInInfo(address: string): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    this.#lookUps += 1;
    const turn = this.#lookUps;
    const looked = await this.#staff.lookUp(where.address);
    if (!looked.ok) return looked;
    // A late answer changes no address.
    const isLate = turn !== this.#lookUps || this.#desk.phase !== 'signedOut';
    if (isLate && where.address !== this.#desk.address) return failed('cancelled');
    this.#desk.useAddress(where.address);
    return this.#desk.done();
  }

  async enrolDesk({ address, code, name }: RequestOf<'enrolDesk'>): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const enrolled = await this.#staff.enrolDesk(where.address, code.trim(), name);
    if (!enrolled.ok) return enrolled;
    this.#desk.useAddress(where.address);
    await this.#staff.lookUp(where.address);
    return this.#desk.done();
  }

  begin(): Promise<Outcome<Status>> {
    const { address } = this.#desk;
    return this.#signIn(address, () => this.#staff.byBrowser(address));
  }

  /** Signs in one of the demo's made-up staff; `openBrowser` chooses them at its provider. */
  beginDemo(
    address: string,
    pin: string,
    openBrowser: (url: string) => Promise<void>,
  ): Promise<Outcome<Status>> {
    return this.#signIn(address, async () => {
      const begun = await this.#staff.byBrowser(address, openBrowser);
      if (begun.ok && !begun.value.card().pinSet) await begun.value.setPin(pin);
      return begun;
    });
  }

  async #signIn(
    address: string,
    begin: () => Promise<Outcome<PersonSession>>,
  ): Promise<Outcome<Status>> {
    if (this.#desk.phase === 'signedIn') return failed('refused');
    const turn = this.#desk.nextTurn();
    this.#beginning = turn;
    try {
      const pending = begin();
      this.#desk.tell();
      const begun = await pending;
      if (begun.ok) return this.#desk.arrive(begun.value, turn, address);
      if (begun.problem.kind === 'deskRevoked' && this.#desk.isTurn(turn)) this.#desk.revoked();
      else this.#desk.tell();
      return begun;
    } finally {
      if (this.#beginning === turn) this.#beginning = undefined;
    }
  }

  /** Whatever the service answers later has no effect. */
  cancel(): Status {
    if (this.#beginning !== undefined && this.#desk.isTurn(this.#beginning)) this.#desk.nextTurn();
    this.#asking?.abort();
    this.#staff.cancel();
    return this.#desk.tell();
  }

  async setPin(pin: string): Promise<Outcome<Status>> {
    const person = this.#desk.people.current;
    if (person === undefined) return failed('signedOut');
    return this.#answered(person, await person.setPin(pin));
  }

  async unlockSession({ staffId, pin }: RequestOf<'unlockSession'>): Promise<Outcome<Status>> {
    const { people, phase } = this.#desk;
    const person = people.find(staffId);
    if (phase !== 'locked' || person === undefined) return failed('signedOut');
    const before = this.#checks.get(person);
    // The same PIN typed in two windows: one turn for both.
    const turn =
      before !== undefined && this.#desk.isTurn(before.turn) ? before.turn : this.#desk.nextTurn();
    const answer = this.#checkPin(person, pin, { turn, after: before?.over });
    const check = { turn, over: answer.catch(() => undefined) };
    this.#checks.set(person, check);
    try {
      return await answer;
    } finally {
      if (this.#checks.get(person) === check) this.#checks.delete(person);
    }
  }

  async #checkPin(
    person: PersonSession,
    pin: string,
    { turn, after }: { readonly turn: number; readonly after: Promise<unknown> | undefined },
  ): Promise<Outcome<Status>> {
    const { people } = this.#desk;
    const { staffId } = person;
    await after;
    // Another window's PIN was right.
    if (people.current === person) return this.#desk.done();
    if (people.find(staffId) !== person) return failed('signedOut');
    if (!this.#desk.isTurn(turn)) return failed('cancelled');
    const problem = await person.unlock(pin);
    if (problem !== undefined) {
      // The session ended at the service.
      const isOver = problem.kind === 'expired' || problem.kind === 'pinTriedOut';
      if (isOver && people.find(staffId) === person) {
        this.#desk.remove(staffId, problem.kind === 'expired' ? 'expired' : 'asked');
      }
      if (problem.kind === 'deskRevoked' && people.find(staffId) === person) this.#desk.revoked();
      return { ok: false, problem };
    }
    if (!this.#desk.isTurn(turn) || people.find(staffId) !== person) {
      // Awaited: it must not overtake the next PIN.
      await person.lock();
      return failed('cancelled');
    }
    return this.#desk.unlock(person);
  }

  switchTo(staffId: string | undefined): Status {
    const { people } = this.#desk;
    if (this.#desk.phase === 'signedIn') this.#desk.lock('switched');
    if (this.#desk.phase === 'locked') {
      people.chosen = staffId === undefined ? undefined : people.find(staffId)?.staffId;
    }
    return this.#desk.tell();
  }

  async readBadge(badge: string): Promise<Outcome<Status>> {
    const { turn } = this.#desk;
    const holder = await this.#staff.readBadge(this.#desk.address, badge);
    if (!holder.ok) {
      if (holder.problem.kind === 'deskRevoked' && this.#desk.isTurn(turn)) this.#desk.revoked();
      return holder;
    }
    // A late answer locks nobody out.
    if (!this.#desk.isTurn(turn)) return failed('cancelled');
    const { people } = this.#desk;
    if (people.find(holder.value) === undefined) return failed('unknownBadge');
    if (people.current?.staffId === holder.value) return this.#desk.done();
    return { ok: true, value: this.switchTo(holder.value) };
  }

  async askBreakGlass(request: RequestOf<'askBreakGlass'>): Promise<Outcome<Status>> {
    const person = this.#desk.people.current;
    if (person === undefined) return failed(this.#desk.closed ?? 'forbidden');
    const asking = new AbortController();
    this.#asking = asking;
    const isCancelled = (): boolean => asking.signal.aborted;
    try {
      const pending = this.#staff.freshProof(this.#desk.address);
      this.#desk.tell();
      const proof = await pending;
      if (!proof.ok) return this.#answered(person, proof.problem);
      if (isCancelled() || this.#desk.people.current !== person) return failed('cancelled');
      const problem = await person.askBreakGlass(request, proof.value, () => !isCancelled());
      return this.#answered(person, problem);
    } finally {
      if (this.#asking === asking) this.#asking = undefined;
    }
  }

  async endBreakGlass(): Promise<Outcome<Status>> {
    const person = this.#desk.people.current;
    if (person === undefined) return failed(this.#desk.closed ?? 'signedOut');
    return this.#answered(person, await person.endBreakGlass());
  }

  #answered(person: PersonSession, problem: Problem | undefined): Outcome<Status> {
    if (problem?.kind === 'expired' && this.#desk.people.current === person) {
      this.#desk.remove(person.staffId, 'expired');
    }
    if (problem?.kind === 'deskRevoked' && this.#desk.people.current === person)
      this.#desk.revoked();
    const status = this.#desk.tell();
    return problem === undefined ? { ok: true, value: status } : { ok: false, problem };
  }
}
