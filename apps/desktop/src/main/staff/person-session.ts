import type { FetchFunction } from '@caregate/api-client';
import type { RequestOf } from '../../bridge/channels.ts';
import type { Emergency, Person } from '../../bridge/people.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { AccessClient } from '../service/access-client.ts';
import { grantedShape, sessionShape } from './answers.ts';
import type { SessionAnswer } from './answers.ts';
import type { DeskKey } from './desk-key.ts';
import { ServiceSession } from '../service/service-session.ts';

interface PersonSessionParts {
  readonly address: string;
  readonly fetch: FetchFunction;
  readonly key: DeskKey;
  readonly token: string;
  readonly session: SessionAnswer;
  readonly byProvider: boolean;
}

/** An ID token made just now, where the clinic has a provider. */
export interface FreshProof {
  readonly id_token?: string;
  readonly nonce_random?: string;
}

const current = '/access/sessions/current';
/** Half of what a session lasts. */
const renewBefore = 5 * 60_000;

/** One person's session at this desk. The token stays in here, and dies with it. */
export class PersonSession {
  readonly staffId: string;
  /** Whether the provider signed them in, and is asked again for emergency access. */
  readonly byProvider: boolean;
  readonly service: ServiceSession;
  readonly #client: AccessClient;
  readonly #headers: (method: string, url: string) => Readonly<Record<string, string>>;
  #session: SessionAnswer;
  #pinSet: boolean;
  #renewing = false;
  /** Whether the service knows that it is locked. */
  #lockedThere = false;
  /** Emergency access in the order in which it was granted: the last in force is shown, and ended first. */
  #grants: readonly Emergency[] = [];

  constructor({ address, fetch, key, token, session, byProvider }: PersonSessionParts) {
    this.byProvider = byProvider;
    this.staffId = session.staff.staff_id;
    this.#session = session;
    this.#pinSet = session.pin_set;
    this.#headers = (method, url) => ({
      authorization: `DPoP ${token}`,
      dpop: key.proof(method, url, token),
    });
    this.#client = new AccessClient(address, fetch);
    this.service = new ServiceSession({ address, fetch, headers: this.#headers });
  }

  card(): Person {
    const { staff, ends_at } = this.#session;
    const { name, role } = staff;
    return { staffId: this.staffId, name, role, pinSet: this.#pinSet, endsAt: ends_at };
  }

  get deskName(): string {
    return this.#session.desk.name;
  }

  /** Milliseconds since the epoch. */
  get endsAt(): number {
    return Date.parse(this.#session.ends_at);
  }

  emergency(now: number): Emergency | undefined {
    return this.#grants.findLast(({ expiresAt }) => Date.parse(expiresAt) > now);
  }

  /** Renews the session once half of its time is over; gives what the service refused it with. */
  async keepAlive(now: number): Promise<Problem | undefined> {
    if (this.#renewing || Date.parse(this.#session.expires_at) - now > renewBefore)
      return undefined;
    this.#renewing = true;
    const renewed = await this.#ask('POST', `${current}/renew`);
    this.#renewing = false;
    return renewed.ok ? undefined : renewed.problem;
  }

  /** What is under way is dropped at once; the service is told, as soon as it can be reached. */
  async lock(): Promise<void> {
    this.service.cancelAll();
    const told = await this.#client.tell({ ...this.#request('POST', `${current}/lock`) });
    this.#lockedThere = told.ok || told.problem.kind === 'locked';
  }

  async unlock(pin: string): Promise<Problem | undefined> {
    // A lock that didn't reach the service: its tries are counted for a locked session alone.
    if (!this.#lockedThere) await this.lock();
    const answer = await this.#ask('POST', `${current}/unlock`, { pin });
    if (answer.ok) this.#lockedThere = false;
    return answer.ok ? undefined : answer.problem;
  }

  async setPin(pin: string): Promise<Problem | undefined> {
    const answer = await this.#client.tell(this.#request('PUT', `${current}/pin`, { pin }));
    if (answer.ok) {
      this.#pinSet = true;
      return undefined;
    }
    const { problem } = answer;
    if (problem.kind === 'invalid') return { ...problem, kind: 'weakPin' };
    return problem.kind === 'forbidden' ? { ...problem, kind: 'tooLateForPin' } : problem;
  }

  /** What is no longer wanted once the service grants it is ended there; what was in force before stays. */
  async beginEmergency(
    { userId, reasonCode, text }: RequestOf<'emergencyAccess'>,
    proof: FreshProof,
    isWanted: () => boolean,
  ): Promise<Problem | undefined> {
    const body = { user_id: userId, reason_code: reasonCode, text, ...proof };
    const asked = this.#request('POST', '/access/break-glass', body);
    const answer = await this.#client.ask(asked, grantedShape);
    if (!answer.ok) return answer.problem;
    const { break_glass_id: breakGlassId, expires_at: expiresAt } = answer.value;
    const granted = { breakGlassId, userId, reasonCode, expiresAt };
    if (isWanted()) {
      this.#hold(granted);
      return undefined;
    }
    // Asked for again while it was in force, the service gives the same grant: the first request still stands.
    const isHeld = this.#grants.some((held) => held.breakGlassId === breakGlassId);
    const problem = isHeld ? undefined : await this.#end(granted);
    if (problem === undefined) return { kind: 'cancelled' };
    // In force all the same: it is shown, and can be ended.
    this.#hold(granted);
    return problem;
  }

  /** Ends the one that is shown; one that was granted before is shown again. */
  async endEmergency(): Promise<Problem | undefined> {
    const shown = this.emergency(Date.now());
    return shown && this.#end(shown);
  }

  #hold(granted: Emergency): void {
    this.#grants = [...this.#without(granted), granted];
  }

  #without({ breakGlassId }: Emergency): Emergency[] {
    return this.#grants.filter((held) => held.breakGlassId !== breakGlassId);
  }

  async #end(granted: Emergency): Promise<Problem | undefined> {
    const path = `/access/break-glass/${encodeURIComponent(granted.breakGlassId)}`;
    const answer = await this.#client.tell(this.#request('DELETE', path));
    // Over already: what was asked for.
    if (!answer.ok && answer.problem.kind !== 'notFound') return answer.problem;
    this.#grants = this.#without(granted);
    return undefined;
  }

  /** Ended here at once, whatever the service says; there it ends by itself in ten minutes at the latest. */
  signOut(): void {
    this.service.end();
    void this.#client.tell(this.#request('DELETE', current));
  }

  async #ask(method: 'POST', path: string, body?: unknown): Promise<Outcome<undefined>> {
    const answer = await this.#client.ask(this.#request(method, path, body), sessionShape);
    if (!answer.ok) return answer;
    this.#session = answer.value;
    this.#pinSet = answer.value.pin_set;
    return { ok: true, value: undefined };
  }

  #request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Parameters<AccessClient['tell']>[0] {
    return { method, path, headers: this.#headers, ...(body !== undefined && { body }) };
  }
}
