import { createHash, timingSafeEqual } from 'node:crypto';
import type { FetchFunction } from '@caregate/api-client';
import type { ReadChannel } from '../../bridge/api.ts';
import type { Phase, Reason, Status } from '../../bridge/app-state.ts';
import type { RequestOf, ResponseOf } from '../../bridge/channels.ts';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import type { Demo } from './demo.ts';
import type { KeyStore } from './key-store.ts';
import { keyIdOf, serviceAddress } from './service-address.ts';
import { ServiceSession } from './service-session.ts';

interface DeskSessionParts {
  readonly fetch: FetchFunction;
  readonly keyStore: KeyStore;
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
  #signingIn = 0;
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
    };
  }

  async signIn({ address, key, saveKey }: RequestOf<'signIn'>): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const trimmed = key.trim();
    if (!/^[!-~]{1,512}$/u.test(trimmed)) return failed('invalidKey');
    return this.#begin(where.address, trimmed, saveKey);
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

  /** The key is saved, where that was chosen, only on a sign-out that was requested and not from the lock. */
  signOut(reason: Reason): Status {
    if (this.#phase === 'signedIn' && reason === 'asked') this.#parts.keyStore.save();
    else this.#parts.keyStore.discard();
    this.#signingIn += 1;
    this.#leave('signedOut', reason);
    return this.#tell();
  }

  /** An ordinary end of the program counts as a requested sign-out. */
  end(): void {
    if (this.#phase === 'signedIn') this.signOut('asked');
  }

  /** Locks where someone is signed in. Cancels pending calls, and a sign-in under way. */
  lock(reason: Reason): Status {
    this.#signingIn += 1;
    if (this.#phase !== 'signedIn') return this.status();
    this.#phase = 'locked';
    this.#reason = reason;
    this.#session?.cancelAll();
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

  /** An answer of the service that is about no patient; undefined where nobody is signed in, or the request failed. */
  async fetchText(path: string): Promise<{ status: number; body: string } | undefined> {
    return this.#phase === 'signedIn' ? this.#session?.fetchText(path) : undefined;
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

  /** Calls the service with the key of whoever is signed in. */
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
    if (!answer.ok && answer.problem.kind === 'expired') this.signOut('expired');
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
    const session = new ServiceSession({ address, key, fetch: this.#parts.fetch });
    const problem = await session.check();
    if (problem !== undefined) return { ok: false, problem };
    if (mine !== this.#signingIn) return failed('cancelled');
    // Before anybody is signed in: where the file can't be removed, nobody is.
    if (saveKey) this.#parts.keyStore.stage(address, key);
    else this.#parts.keyStore.delete();
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
