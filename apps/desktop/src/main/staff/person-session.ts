import type { Authorize, FetchFunction } from '@caregate/api-client';
import {
  askBreakGlass,
  endBreakGlass,
  endSession,
  lockSession,
  renewSession,
  setPin,
  unlockSession,
} from '@caregate/api-client/service';
import type { BreakGlassReason } from '@caregate/domain';
import type { ChannelRequest } from '../../shared/channels.ts';
import type { Emergency, Person } from '../../shared/people.ts';
import type { Problem } from '../../shared/problem.ts';
import { ServiceClient, type Run } from '../service/service-client.ts';
import { grantSchema, sessionSchema, type SessionAnswer } from './answers.ts';
import type { DeskKey } from './desk-key.ts';
import { ServiceSession } from '../service/service-session.ts';

interface PersonSessionParts {
  readonly address: string;
  readonly fetch: FetchFunction;
  /** Returns the desk's key, which may be replaced during the session. */
  readonly key: () => DeskKey;
  readonly token: string;
  readonly session: SessionAnswer;
}

/** The ID token of a sign-in that was just repeated. */
export interface FreshProof {
  readonly id_token: string;
  readonly nonce_random: string;
}

/** Half of a session's lifetime. */
const renewBefore = 5 * 60_000;

export class PersonSession {
  readonly staffId: string;
  readonly service: ServiceSession;
  readonly #client: ServiceClient;
  #session: SessionAnswer;
  #renewing = false;
  /** The last lock or unlock request. */
  #lastChange: Promise<unknown> = Promise.resolve();
  /** Whether the service has received the lock. */
  #serviceLocked = false;
  /** In the order in which they were granted. The last active one is shown, and is the first to be ended. */
  #grants: readonly Emergency[] = [];

  constructor({ address, fetch, key, token, session }: PersonSessionParts) {
    this.staffId = session.staff.staff_id;
    this.#session = session;
    const authorize: Authorize = ({ method, url }) => ({
      authorization: `DPoP ${token}`,
      dpop: key().createProof(method, url, token),
    });
    this.#client = new ServiceClient(address, fetch, authorize);
    this.service = new ServiceSession(this.#client);
  }

  toPerson(): Person {
    const { staff, ends_at: endsAt, pin_set: pinSet } = this.#session;
    const { name, role } = staff;
    return { staffId: this.staffId, name, role, pinSet, endsAt };
  }

  get endsAt(): number {
    return Date.parse(this.#session.ends_at);
  }

  findEmergency(now: number): Emergency | undefined {
    return this.#grants.findLast(({ expiresAt }) => Date.parse(expiresAt) > now);
  }

  async keepAlive(now: number): Promise<Problem | undefined> {
    if (this.#renewing || Date.parse(this.#session.expires_at) - now > renewBefore)
      return undefined;
    this.#renewing = true;
    const problem = await this.#refresh(renewSession);
    this.#renewing = false;
    return problem;
  }

  async lock(): Promise<void> {
    this.service.cancelAll();
    await this.#runInOrder(() => this.#lock());
  }

  /** Returns `cancelled` if the signal was aborted before the answer, and locks the session again. */
  unlock(pin: string, signal: AbortSignal): Promise<Problem | undefined> {
    const isCancelled = (): boolean => signal.aborted;
    return this.#runInOrder(async () => {
      if (isCancelled()) return { kind: 'cancelled' };
      // The lock may not have reached the service, which counts wrong PINs only for a locked session.
      if (!this.#serviceLocked) await this.#lock();
      const problem = await this.#refresh((service, options) =>
        unlockSession(service, pin, options),
      );
      if (problem !== undefined) return problem;
      this.#serviceLocked = false;
      if (!isCancelled()) return undefined;
      await this.#lock();
      return { kind: 'cancelled' };
    });
  }

  async #lock(): Promise<void> {
    const locked = await this.#client.call(lockSession);
    this.#serviceLocked = locked.ok || locked.problem.kind === 'locked';
  }

  /** Keeps lock and unlock requests in order. `run` never throws. */
  #runInOrder<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(run);
    this.#lastChange = result;
    return result;
  }

  async setPin(pin: string): Promise<Problem | undefined> {
    const answer = await this.#client.call((service, options) => setPin(service, pin, options));
    if (answer.ok) {
      this.#session = { ...this.#session, pin_set: true };
      return undefined;
    }
    const { problem } = answer;
    if (problem.kind === 'invalid') return { ...problem, kind: 'weakPin' };
    return problem.kind === 'forbidden' ? { ...problem, kind: 'tooLateForPin' } : problem;
  }

  /** If the request is cancelled before the answer, the new grant is ended. Earlier grants stay. */
  async askBreakGlass(
    { userId, reasonCode, text }: ChannelRequest<'askBreakGlass'>,
    proof: FreshProof,
    signal: AbortSignal,
  ): Promise<Problem | undefined> {
    // The service rejects unknown reasons.
    const reason = reasonCode as BreakGlassReason;
    const body = { user_id: userId, reason_code: reason, text, ...proof };
    const answer = await this.#client.ask(
      (service, options) => askBreakGlass(service, body, options),
      grantSchema,
    );
    if (!answer.ok) return answer.problem;
    const { break_glass_id: breakGlassId, expires_at: expiresAt } = answer.value;
    const granted = { breakGlassId, userId, expiresAt };
    if (!signal.aborted) {
      this.#addGrant(granted);
      return undefined;
    }
    // If the grant was already active before, the service returned it again, and it stays.
    const isAlreadyGranted = this.#grants.some((grant) => grant.breakGlassId === breakGlassId);
    const problem = isAlreadyGranted ? undefined : await this.#endGrant(granted);
    if (problem === undefined) return { kind: 'cancelled' };
    // The grant is still active, so it has to be shown.
    this.#addGrant(granted);
    return problem;
  }

  /** Ends the grant that is shown. An earlier one that is still active is shown instead. */
  async endBreakGlass(): Promise<Problem | undefined> {
    const shown = this.findEmergency(Date.now());
    return shown && this.#endGrant(shown);
  }

  #addGrant(granted: Emergency): void {
    this.#grants = [...this.#listOtherGrants(granted), granted];
  }

  #listOtherGrants({ breakGlassId }: Emergency): Emergency[] {
    return this.#grants.filter((grant) => grant.breakGlassId !== breakGlassId);
  }

  async #endGrant(granted: Emergency): Promise<Problem | undefined> {
    const answer = await this.#client.call((service, options) =>
      endBreakGlass(service, granted.breakGlassId, options),
    );
    // The service answers 404 if the grant has already ended.
    if (!answer.ok && answer.problem.kind !== 'notFound') return answer.problem;
    this.#grants = this.#listOtherGrants(granted);
    return undefined;
  }

  /** If this request fails, the session expires within ten minutes. */
  signOut(): void {
    this.service.end();
    void this.#client.call(endSession);
  }

  async #refresh(run: Run<unknown>): Promise<Problem | undefined> {
    const answer = await this.#client.ask(run, sessionSchema);
    if (!answer.ok) return answer.problem;
    this.#session = answer.value;
    return undefined;
  }
}
