import { createHash, timingSafeEqual } from 'node:crypto';
import type { FetchFunction, TransportResponse } from '@caregate/api-client';
import type { ReadChannel } from '../../bridge/api.ts';
import type { Phase, Reason, Status } from '../../bridge/app-state.ts';
import type { RequestOf, ResponseOf } from '../../bridge/channels.ts';
import type { Me } from '../../bridge/people.ts';
import type { Outcome, Problem, ProblemKind } from '../../bridge/problem.ts';
import type { Demo } from './demo.ts';
import type { KeyStore } from './key-store.ts';
import { keyIdOf, serviceAddress } from '../service/service-address.ts';
import type { AccessRequest } from '../service/access-client.ts';
import { askMe } from '../staff/me.ts';
import { People } from '../staff/people.ts';
import type { PersonSession } from '../staff/person-session.ts';
import { keyHeaders, ServiceSession } from '../service/service-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';

type StaffStatus = Omit<
  Status,
  'phase' | 'reason' | 'address' | 'keyId' | 'demo' | 'canSaveKey' | 'keySaved'
>;

interface DeskSessionParts {
  readonly fetch: FetchFunction;
  readonly keyStore: KeyStore;
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  /** Address of the last sign-in, from the settings. */
  readonly address: string;
  /** Called after every change, and with whether the service was reached. */
  readonly onStatus: (status: Status) => void;
  readonly onConnection: (state: 'online' | 'offline') => void;
}

const failed = (kind: ProblemKind): { ok: false; problem: { kind: ProblemKind } } => ({
  ok: false,
  problem: { kind },
});

/** The session of this desk: signed out, signed in or locked. All calls to the service go through it. */
export class DeskSession {
  readonly #parts: DeskSessionParts;
  #address: string;
  #phase: Phase = 'signedOut';
  #reason: Reason | undefined;
  #session: ServiceSession | undefined;
  #keyId: string | undefined;
  /** To compare with at unlocking. */
  #keyDigest: Buffer | undefined;
  /** Counts what puts somebody at the desk or takes them away: what began before is worth nothing after. */
  #signingIn = 0;
  readonly #people = new People();
  /** Chosen in the settings while signed in elsewhere. */
  #nextAddress: string | undefined;

  constructor(parts: DeskSessionParts) {
    this.#parts = parts;
    this.#address = parts.address;
  }

  status(): Status {
    const { demo } = this.#parts;
    return {
      phase: this.#phase,
      ...(this.#reason !== undefined && { reason: this.#reason }),
      address: this.#address,
      ...(this.#keyId !== undefined && { keyId: this.#keyId }),
      ...(demo !== undefined && {
        demo: { roles: Object.keys(demo.keys), sampleClientUserId: demo.sampleClientUserId },
      }),
      canSaveKey: this.#parts.keyStore.canSave(),
      keySaved: this.#keySaved(),
      ...this.#staffStatus(),
    };
  }

  async signIn({ address, key, saveKey }: RequestOf<'signIn'>): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const trimmed = key.trim();
    if (!/^[!-~]{1,512}$/u.test(trimmed)) return failed('invalidKey');
    const exchanged = await this.#exchange(where.address, trimmed, saveKey);
    return exchanged ?? this.#begin(where.address, trimmed, saveKey);
  }

  /** Only from signed out: a lock and an automatic sign-out leave no saved key. */
  async signInWithSavedKey(): Promise<Outcome<Status>> {
    const key = this.#keySaved() ? this.#parts.keyStore.load(this.#address) : undefined;
    if (this.#phase !== 'signedOut' || key === undefined) return failed('invalidKey');
    return this.#begin(this.#address, key, true);
  }

  async signInToDemo(role: string): Promise<Outcome<Status>> {
    const { demo } = this.#parts;
    const key = demo !== undefined && Object.hasOwn(demo.keys, role) ? demo.keys[role] : undefined;
    if (demo === undefined || key === undefined) return failed('invalid');
    return this.#begin(demo.address, key, false);
  }

  async lookUpService(address: string): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const looked = await this.#parts.staff.lookUp(where.address);
    if (!looked.ok) return looked;
    this.useAddress(where.address);
    return this.#done();
  }

  async enrolDesk({ address, code, name }: RequestOf<'enrolDesk'>): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const { staff } = this.#parts;
    const enrolled = await staff.enrol(where.address, code.trim(), name);
    if (!enrolled.ok) return enrolled;
    this.useAddress(where.address);
    await staff.lookUp(where.address);
    return this.#done();
  }

  /** Somebody signs in by the browser: at an empty desk, or as another one while it is locked. */
  async beginSignIn(): Promise<Outcome<Status>> {
    if (this.#phase === 'signedIn') return failed('refused');
    this.#signingIn += 1;
    const mine = this.#signingIn;
    const address = this.#address;
    const pending = this.#parts.staff.byBrowser(address);
    this.#tell();
    const begun = await pending;
    if (!begun.ok) {
      this.#tell();
      return begun;
    }
    return this.#arrive(begun.value, mine, address);
  }

  cancelSignIn(): Status {
    this.#parts.staff.cancel();
    return this.#tell();
  }

  async setPin(pin: string): Promise<Outcome<Status>> {
    const person = this.#people.current;
    if (person === undefined) return failed('signedOut');
    return this.#answered(person, await person.setPin(pin));
  }

  async unlockWithPin({ staffId, pin }: RequestOf<'unlockWithPin'>): Promise<Outcome<Status>> {
    const person = this.#people.find(staffId);
    if (this.#phase !== 'locked' || person === undefined) return failed('signedOut');
    this.#signingIn += 1;
    const mine = this.#signingIn;
    const problem = await person.unlock(pin);
    if (problem !== undefined) {
      // Its session is over: there, and so here.
      if (problem.kind === 'expired' || problem.kind === 'pinTriedOut') {
        this.#remove(staffId, problem.kind === 'expired' ? 'expired' : 'asked');
      }
      return { ok: false, problem };
    }
    if (mine !== this.#signingIn || this.#people.find(staffId) !== person) {
      void person.lock();
      return failed('cancelled');
    }
    return this.#seat(person);
  }

  /** Locks, and picks a card where one is named. */
  switchTo(staffId: string | undefined): Status {
    if (this.#phase === 'signedIn') this.lock('switched');
    if (this.#phase === 'locked') {
      this.#people.chosen = staffId === undefined ? undefined : this.#people.find(staffId)?.staffId;
    }
    return this.#tell();
  }

  async scanBadge(badge: string): Promise<Outcome<Status>> {
    const holder = await this.#parts.staff.holderOf(this.#address, badge);
    if (!holder.ok) return holder;
    if (this.#people.find(holder.value) === undefined) return failed('unknownBadge');
    if (this.#people.current?.staffId === holder.value) return this.#done();
    return { ok: true, value: this.switchTo(holder.value) };
  }

  async me(): Promise<Outcome<Me>> {
    const session = this.#session;
    const refused = this.#closed();
    if (session === undefined || refused !== undefined) return failed(refused ?? 'signedOut');
    const me = await askMe(session);
    return this.#session === session && this.#closed() === undefined ? me : failed('signedOut');
  }

  async emergencyAccess(request: RequestOf<'emergencyAccess'>): Promise<Outcome<Status>> {
    const person = this.#people.current;
    if (person === undefined) return failed(this.#closed() ?? 'forbidden');
    const { staff } = this.#parts;
    const pending = person.byProvider
      ? staff.freshProof(this.#address)
      : Promise.resolve({ ok: true as const, value: {} });
    this.#tell();
    const proof = await pending;
    if (!proof.ok) return this.#answered(person, proof.problem);
    if (this.#people.current !== person) return failed('cancelled');
    return this.#answered(person, await person.beginEmergency(request, proof.value));
  }

  async endEmergency(): Promise<Outcome<Status>> {
    const person = this.#people.current;
    if (person === undefined) return failed(this.#closed() ?? 'signedOut');
    return this.#answered(person, await person.endEmergency());
  }

  /** To be called about every second: renews the session of whoever is at the desk, and ends what is overdue. */
  tick(now: number): void {
    for (const staffId of this.#people.overdue(now)) this.#remove(staffId, 'limit');
    const person = this.#people.current;
    if (person === undefined) return;
    void person.keepAlive(now).then((problem) => {
      if (problem?.kind === 'expired') this.#remove(person.staffId, 'expired');
    });
  }

  /** When the longest sign-in of whoever is at the desk ends; undefined for a key. */
  get endsAt(): number | undefined {
    return this.#people.current?.endsAt;
  }

  /**
   * Signs out whoever is at the desk, or the one whose card is named; others stay. A key is saved, where that was
   * chosen, only on a sign-out that was requested and not from the lock.
   */
  signOut(reason: Reason, staffId?: string): Status {
    const person = staffId ?? this.#people.current?.staffId;
    if (person !== undefined) return this.#remove(person, reason);
    if (this.#phase === 'signedIn' && reason === 'asked') this.#parts.keyStore.save();
    else this.#parts.keyStore.discard();
    this.#signingIn += 1;
    this.#parts.staff.cancel();
    // Time ends only what it is over for, which `tick` sees to.
    if (reason !== 'asked' && !this.#people.isEmpty) return this.status();
    this.#people.signOutAll();
    this.#leave('signedOut', reason);
    return this.#tell();
  }

  /** An ordinary end of the program counts as a requested sign-out, of everybody. */
  end(): void {
    this.#parts.staff.cancel();
    this.#people.signOutAll();
    if (this.#phase === 'signedIn') this.signOut('asked');
  }

  /** Locks where someone is signed in. Cancels pending calls, and a sign-in under way. */
  lock(reason: Reason): Status {
    this.#signingIn += 1;
    this.#parts.staff.cancel();
    if (this.#phase !== 'signedIn') return this.status();
    this.#phase = 'locked';
    this.#reason = reason;
    this.#session?.cancelAll();
    if (this.#people.current !== undefined) {
      this.#people.lock();
      this.#session = undefined;
    }
    return this.#tell();
  }

  unlock(key: string): Outcome<Status> {
    if (this.#phase !== 'locked' || this.#keyDigest === undefined) return failed('signedOut');
    if (!timingSafeEqual(digest(key.trim()), this.#keyDigest)) return failed('invalidKey');
    this.#phase = 'signedIn';
    this.#reason = undefined;
    return { ok: true, value: this.#tell() };
  }

  /** The address to sign in to, from the next sign-in on. */
  useAddress(address: string): void {
    if (this.#phase !== 'signedOut') this.#nextAddress = address;
    else if (address !== this.#address) {
      this.#address = address;
      this.#tell();
    }
  }

  /**
   * A request of whoever is at the desk that is none of the five reads; undefined where nobody is, where it failed, and
   * where they had left when its answer came. Never throws.
   */
  async request(request: Omit<AccessRequest, 'headers'>): Promise<TransportResponse | undefined> {
    const session = this.#session;
    if (session === undefined || this.#phase !== 'signedIn') return undefined;
    const answer = await session.request(request);
    return this.#session === session && this.#closed() === undefined ? answer : undefined;
  }

  /** Records of the answers that showed a person to whoever is at the desk. */
  recordIds(): ReadonlySet<string> {
    return this.#session?.recordIds ?? new Set();
  }

  /** An answer that is about no patient. */
  async fetchText(path: string): Promise<TransportResponse | undefined> {
    return this.request({ method: 'GET', path, accept: '*/*' });
  }

  /** Whether the service is ready; undefined where nobody is signed in any more. */
  async ready(): Promise<boolean | undefined> {
    const session = this.#session;
    const answered = this.#phase === 'signedIn' ? await session?.ready() : undefined;
    return this.#session === session && this.#closed() === undefined ? answered : undefined;
  }

  /** The version in the service's OpenAPI document; undefined where it has none. */
  async serviceVersion(): Promise<string | undefined> {
    const answer = await this.fetchText('/openapi.json');
    if (answer?.status !== 200) return undefined;
    const version = versionIn(answer.body);
    return typeof version === 'string' && /^[\w.+-]{1,100}$/u.test(version) ? version : undefined;
  }

  forgetKey(): Status {
    this.#parts.keyStore.delete();
    return this.#tell();
  }

  /** Calls the service as whoever is signed in. */
  async read<C extends ReadChannel>(
    channel: C,
    request: RequestOf<C>,
  ): Promise<Outcome<ResponseOf<C>>> {
    const session = this.#session;
    const refused = this.#closed();
    if (session === undefined || refused !== undefined) return failed(refused ?? 'signedOut');
    const answer = await session.read(channel, request);
    // An answer that arrives after the lock, or for the previous user, is dropped.
    const late = this.#session === session ? this.#closed() : 'signedOut';
    if (late !== undefined) return failed(late);
    this.#noteConnection(answer);
    if (!answer.ok) this.#noteRefusal(answer.problem);
    return answer;
  }

  cancel(call: string): void {
    this.#session?.cancel(call);
  }

  /** Whether a saved key can sign in now; or, while signed in, after a sign-out. */
  #keySaved(): boolean {
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

  async #begin(address: string, key: string, saveKey: boolean): Promise<Outcome<Status>> {
    this.#signingIn += 1;
    const mine = this.#signingIn;
    const session = new ServiceSession({
      address,
      headers: keyHeaders(key),
      fetch: this.#parts.fetch,
    });
    const problem = await session.check();
    if (problem !== undefined) return { ok: false, problem };
    if (mine !== this.#signingIn) return failed('cancelled');
    this.#stage(address, key, saveKey);
    this.#people.signOutAll();
    this.#leave('signedOut', 'asked');
    this.#session = session;
    this.#address = address;
    this.#nextAddress = undefined;
    this.#keyId = keyIdOf(key);
    this.#keyDigest = digest(key);
    this.#phase = 'signedIn';
    this.#reason = undefined;
    const status = this.#tell();
    this.#parts.onConnection('online');
    return { ok: true, value: status };
  }

  /** Undefined where this desk or this key makes no session: then the key itself signs in. */
  async #exchange(
    address: string,
    key: string,
    saveKey: boolean,
  ): Promise<Outcome<Status> | undefined> {
    const { staff } = this.#parts;
    if (staff.desk(address) === undefined) return undefined;
    this.#signingIn += 1;
    const mine = this.#signingIn;
    const begun = await staff.byKey(address, key);
    if (!begun.ok) {
      const { kind, reason } = begun.problem;
      const isKeyAlone =
        kind === 'notFound' || reason === 'unknownPerson' || reason === 'unknownDesk';
      return isKeyAlone ? undefined : begun;
    }
    this.#stage(address, key, saveKey);
    return this.#arrive(begun.value, mine, address);
  }

  /** Before anybody is signed in: where the file can't be removed, nobody is. */
  #stage(address: string, key: string, saveKey: boolean): void {
    if (saveKey) this.#parts.keyStore.stage(address, key);
    else this.#parts.keyStore.delete();
  }

  #arrive(person: PersonSession, mine: number, address: string): Outcome<Status> {
    if (mine !== this.#signingIn) {
      person.signOut();
      this.#tell();
      return failed('cancelled');
    }
    if (address !== this.#address) this.#people.signOutAll();
    this.#address = address;
    return this.#seat(person);
  }

  #seat(person: PersonSession): Outcome<Status> {
    this.#session?.end();
    this.#keyId = undefined;
    this.#keyDigest = undefined;
    this.#people.seat(person);
    this.#session = person.service;
    this.#phase = 'signedIn';
    this.#reason = undefined;
    this.#parts.onConnection('online');
    return this.#done();
  }

  /** One person leaves; the desk is locked for those who stay, and empty without any. */
  #remove(staffId: string, reason: Reason): Status {
    const wasCurrent = this.#people.current?.staffId === staffId;
    this.#people.signOut(staffId);
    if (wasCurrent) {
      this.#signingIn += 1;
      this.#parts.staff.cancel();
      this.#session = undefined;
    }
    const isKeyHere = this.#keyDigest !== undefined;
    if (this.#people.isEmpty && !isKeyHere) this.#leave('signedOut', reason);
    else if (wasCurrent) {
      this.#phase = 'locked';
      this.#reason = reason;
    }
    return this.#tell();
  }

  /** After what was asked for the person at the desk: the status, or why not. */
  #answered(person: PersonSession, problem: Problem | undefined): Outcome<Status> {
    if (problem?.kind === 'expired' && this.#people.current === person) {
      this.#remove(person.staffId, 'expired');
    }
    const status = this.#tell();
    return problem === undefined ? { ok: true, value: status } : { ok: false, problem };
  }

  #noteRefusal({ kind }: Problem): void {
    if (kind === 'expired') this.signOut('expired');
    // Locked there, by another way than this desk's: it is locked here as well.
    if (kind === 'locked') this.lock('asked');
  }

  #staffStatus(): StaffStatus {
    const { staff } = this.#parts;
    const info = staff.info(this.#address);
    const desk = staff.desk(this.#address);
    const { current, chosen } = this.#people;
    const emergency = this.#people.emergency(Date.now());
    const clinic = info?.clinic_name;
    return {
      ...(clinic !== undefined && { clinicName: clinic }),
      ...(desk !== undefined && { deskName: desk.name }),
      enrolled: desk !== undefined,
      ...(info?.provider && { provider: { name: info.provider.name } }),
      keys: info?.keys ?? true,
      pin: info?.pin ?? { min: 6, max: 12 },
      people: this.#people.cards(),
      ...(current !== undefined && { current: current.staffId }),
      ...(chosen !== undefined && { chosen }),
      signingIn: staff.isPending,
      ...(emergency !== undefined && { emergency }),
    };
  }

  #leave(phase: Phase, reason: Reason): void {
    this.#session?.end();
    this.#session = undefined;
    this.#keyId = undefined;
    this.#keyDigest = undefined;
    this.#phase = phase;
    this.#reason = reason;
    this.#address = this.#nextAddress ?? this.#address;
    this.#nextAddress = undefined;
  }

  #closed(): ProblemKind | undefined {
    switch (this.#phase) {
      case 'signedIn':
        return undefined;
      case 'locked':
        return 'locked';
      case 'signedOut':
        return 'signedOut';
    }
  }

  #noteConnection(answer: Outcome<unknown>): void {
    if (answer.ok) this.#parts.onConnection('online');
    else if (answer.problem.kind === 'offline') this.#parts.onConnection('offline');
  }

  #done(): Outcome<Status> {
    return { ok: true, value: this.#tell() };
  }

  #tell(): Status {
    const status = this.status();
    this.#parts.onStatus(status);
    return status;
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function versionIn(document: string): unknown {
  try {
    const { info } = JSON.parse(document) as { info?: { version?: unknown } };
    return info?.version;
  } catch {
    return undefined;
  }
}
