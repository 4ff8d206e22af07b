import type { FetchFunction } from '@caregate/api-client';
import type { Status } from '../../bridge/app-state.ts';
import type { RequestOf } from '../../bridge/channels.ts';
import { failed } from '../../bridge/problem.ts';
import type { Outcome } from '../../bridge/problem.ts';
import { serviceAddress } from '../service/service-address.ts';
import { keyHeaders, ServiceSession } from '../service/service-session.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import type { Demo } from './demo.ts';
import type { Desk } from './desk.ts';
import type { KeyStore } from './key-store.ts';

interface KeySignInParts {
  readonly fetch: FetchFunction;
  readonly keyStore: KeyStore;
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
}

export class KeySignIn {
  readonly #desk: Desk;
  readonly #parts: KeySignInParts;

  constructor(desk: Desk, parts: KeySignInParts) {
    this.#desk = desk;
    this.#parts = parts;
  }

  async signIn({ address, key, saveKey }: RequestOf<'signIn'>): Promise<Outcome<Status>> {
    const where = serviceAddress(address);
    if ('problem' in where) return failed(where.problem);
    const trimmed = key.trim();
    if (!/^[!-~]{1,512}$/u.test(trimmed)) return failed('invalidKey');
    const exchanged = await this.#exchange(where.address, trimmed, saveKey);
    return exchanged ?? this.#begin(where.address, trimmed, saveKey);
  }

  async signInWithSavedKey(): Promise<Outcome<Status>> {
    const { keyStore } = this.#parts;
    const { phase, address, isKeySaved } = this.#desk;
    const key = isKeySaved ? keyStore.load(address) : undefined;
    if (phase !== 'signedOut' || key === undefined) return failed('invalidKey');
    return (await this.#exchange(address, key, true)) ?? this.#begin(address, key, true);
  }

  async signInToDemo(role: string): Promise<Outcome<Status>> {
    const { demo } = this.#parts;
    const key = demo !== undefined && Object.hasOwn(demo.keys, role) ? demo.keys[role] : undefined;
    if (demo === undefined || key === undefined) return failed('invalid');
    return this.#begin(demo.address, key, false);
  }

  forgetKey(): Status {
    this.#parts.keyStore.delete();
    return this.#desk.tell();
  }

  async #begin(address: string, key: string, saveKey: boolean): Promise<Outcome<Status>> {
    const turn = this.#desk.nextTurn();
    const { fetch, staff } = this.#parts;
    const service = new ServiceSession({ address, headers: keyHeaders(key), fetch });
    const [problem] = await Promise.all([
      service.check(),
      // The demo's service wasn't asked yet; without clinic information one can sign in, too.
      staff.info(address) === undefined ? staff.lookUp(address) : undefined,
    ]);
    if (problem !== undefined) return { ok: false, problem };
    if (!this.#desk.isTurn(turn)) return failed('cancelled');
    this.#stage(address, key, saveKey);
    return this.#desk.seatKey(service, key);
  }

  /** Undefined if the service makes no session for this key: then the key itself signs in. */
  async #exchange(
    address: string,
    key: string,
    saveKey: boolean,
  ): Promise<Outcome<Status> | undefined> {
    const { staff } = this.#parts;
    if (staff.desk(address) === undefined) return undefined;
    const turn = this.#desk.nextTurn();
    const begun = await staff.byKey(address, key);
    if (!begun.ok) {
      // Signing in by the key would start a new turn and ignore what happened meanwhile.
      if (!this.#desk.isTurn(turn)) return failed('cancelled');
      const { kind, reason } = begun.problem;
      if (kind === 'deskRevoked') staff.forgetDesk(address);
      const isKeyAlone =
        kind === 'notFound' || kind === 'deskRevoked' || reason === 'unknownPerson';
      return isKeyAlone ? undefined : begun;
    }
    // A cancelled sign-in neither saves nor deletes a key.
    if (this.#desk.isTurn(turn)) this.#stage(address, key, saveKey);
    return this.#desk.arrive(begun.value, turn, address, { byKey: true });
  }

  /** Before the sign-in: if the file can't be deleted, nobody is signed in. */
  #stage(address: string, key: string, saveKey: boolean): void {
    if (saveKey) this.#parts.keyStore.stage(address, key);
    else this.#parts.keyStore.delete();
  }
}
