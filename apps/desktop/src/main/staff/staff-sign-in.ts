import { randomBytes } from 'node:crypto';
import type { FetchFunction } from '@caregate/api-client';
import {
  beginSession,
  enrolDesk,
  offerDeskKey,
  readBadge,
  signInInfo,
} from '@caregate/api-client/service';
import type { SessionRequest } from '@caregate/domain';
import { done, failed } from '../../shared/problem.ts';
import type { Outcome } from '../../shared/problem.ts';
import type {
  BrowserParts,
  ProviderAddress,
  SignInResult,
  SignInWish,
} from '../sign-in/browser-sign-in.ts';
import { ServiceClient } from '../service/service-client.ts';
import {
  badgeHolderShape,
  enrolledDeskShape,
  interfaceProblem,
  sessionShape,
  signInInfoShape,
} from './answers.ts';
import type { SignInInfo } from './answers.ts';
import { DeskKey } from './desk-key.ts';
import type { DeskStore, EnrolledDesk } from './desk-store.ts';
import { PersonSession } from './person-session.ts';
import type { FreshProof } from './person-session.ts';

/** API keys are valid for as long. */
const turnAfter = 90 * 24 * 60 * 60_000;

export interface StaffSignInParts {
  readonly fetch: FetchFunction;
  readonly store: DeskStore;
  readonly browser: BrowserParts;
}

export class StaffSignIn {
  readonly #parts: StaffSignInParts;
  readonly #infos = new Map<string, SignInInfo>();

  constructor(parts: StaffSignInParts) {
    this.#parts = parts;
  }

  info(address: string): SignInInfo | undefined {
    return this.#infos.get(address);
  }

  desk(address: string): EnrolledDesk | undefined {
    return this.#parts.store.of(address);
  }

  /** Never throws. */
  async lookUp(address: string): Promise<Outcome<undefined>> {
    const found = await this.#client(address).ask(signInInfo, signInInfoShape);
    if (!found.ok) return found.problem.kind === 'notFound' ? failed('notCaregate') : found;
    const problem = interfaceProblem(found.value);
    if (problem !== undefined) return { ok: false, problem };
    this.#infos.set(address, found.value);
    return { ok: true, value: undefined };
  }

  async enrolDesk(address: string, code: string, name?: string): Promise<Outcome<undefined>> {
    const key = DeskKey.make();
    const body = { code, ...(name !== undefined && { name }) };
    const enrolled = await this.#client(address, key).ask(
      (service, options) => enrolDesk(service, body, options),
      enrolledDeskShape,
    );
    if (!enrolled.ok) {
      // A malformed code is refused like an unknown one.
      return enrolled.problem.kind === 'invalid' ? failed('enrolmentRefused') : enrolled;
    }
    const { desk_id: deskId, name: deskName } = enrolled.value;
    this.#parts.store.keep(address, { deskId, name: deskName, key, keySince: Date.now() });
    return { ok: true, value: undefined };
  }

  /** Never throws. */
  async byBrowser(
    address: string,
    signal: AbortSignal,
    openBrowser = this.#parts.browser.openBrowser,
  ): Promise<Outcome<PersonSession>> {
    const desk = this.desk(address);
    if (desk === undefined) return failed('notEnrolled');
    const proof = await this.#idToken(address, desk, { isFresh: false, signal, openBrowser });
    if (!proof.ok) return proof;
    return this.#begin(address, desk, { desk_id: desk.deskId, ...proof.value });
  }

  async freshProof(address: string, signal: AbortSignal): Promise<Outcome<FreshProof>> {
    const desk = this.desk(address);
    if (desk === undefined) return failed('notEnrolled');
    const { openBrowser } = this.#parts.browser;
    return this.#idToken(address, desk, { isFresh: true, signal, openBrowser });
  }

  /** Returns the badge's staff ID. A badge selects a user but doesn't authenticate them. */
  async readBadge(address: string, badge: string): Promise<Outcome<string>> {
    const desk = this.desk(address);
    if (desk === undefined) return failed('notEnrolled');
    const body = { desk_id: desk.deskId, badge };
    const found = await this.#client(address, desk.key).ask(
      (service, options) => readBadge(service, body, options),
      badgeHolderShape,
    );
    if (found.ok) return { ok: true, value: found.value.staff_id };
    const { kind } = found.problem;
    return kind === 'notFound' || kind === 'invalid' ? failed('unknownBadge') : found;
  }

  forgetDesk(address: string): void {
    this.#parts.store.forget(address);
  }

  async #idToken(
    address: string,
    desk: EnrolledDesk,
    {
      openBrowser,
      ...attempt
    }: Pick<SignInWish, 'isFresh' | 'signal'> & Pick<BrowserParts, 'openBrowser'>,
  ): Promise<Outcome<FreshProof>> {
    if (this.info(address) === undefined) {
      const looked = await this.lookUp(address);
      if (!looked.ok) return looked;
    }
    const provider = this.info(address)?.provider;
    if (!provider) return failed('noProvider');
    const random = randomBytes(32).toString('base64url');
    const browser = { ...this.#parts.browser, openBrowser };
    const back = await this.openPage(browser, {
      provider: readAddress(provider),
      nonce: desk.key.nonce(random),
      ...attempt,
    });
    if ('problem' in back) return failed(back.problem);
    // Cancelled during the token request.
    if (attempt.signal.aborted) return failed('cancelled');
    return done({ id_token: back.idToken, nonce_random: random });
  }

  /** Loaded when needed: OpenID Connect is a large part of main. */
  protected async openPage(browser: BrowserParts, wish: SignInWish): Promise<SignInResult> {
    const { signInByBrowser } = await import('../sign-in/browser-sign-in.ts');
    return signInByBrowser(browser, wish);
  }

  async #begin(
    address: string,
    desk: EnrolledDesk,
    body: SessionRequest,
  ): Promise<Outcome<PersonSession>> {
    const begun = await this.#client(address, desk.key).ask(
      (service, options) => beginSession(service, body, options),
      sessionShape,
    );
    if (!begun.ok) return begun;
    const { session: token } = begun.value;
    if (!token) return failed('serverBroken');
    const { fetch } = this.#parts;
    const key = (): DeskKey => (this.desk(address) ?? desk).key;
    const person = { address, fetch, key, token, session: begun.value };
    void this.#turnKey(address, desk);
    return { ok: true, value: new PersonSession(person) };
  }

  /** Replaces an old key. Until the next one is stored the desk keeps its key, and the next sign-in retries. Never throws. */
  async #turnKey(address: string, desk: EnrolledDesk): Promise<void> {
    const now = Date.now();
    if (now - desk.keySince < turnAfter) return;
    const { deskId, key } = desk;
    const next = DeskKey.make();
    const proof = next.proof('POST', `${address}/access/desks/key`, deskId);
    const taken = await this.#client(address, key, proof).call((service, options) =>
      offerDeskKey(service, { desk_id: deskId, proof }, options),
    );
    if (!taken.ok || this.desk(address) !== desk) return;
    try {
      this.#parts.store.keep(address, { ...desk, key: next, keySince: now });
    } catch {
      // The disk may be full.
    }
  }

  #client(address: string, key?: DeskKey, bound?: string): ServiceClient {
    return new ServiceClient(address, this.#parts.fetch, ({ method, url }) => ({
      ...(key !== undefined && { dpop: key.proof(method, url, bound) }),
    }));
  }
}

function readAddress(provider: NonNullable<SignInInfo['provider']>): ProviderAddress {
  const { issuer, client_id: clientId, client_secret: clientSecret } = provider;
  return { issuer, clientId, ...(clientSecret && { clientSecret }) };
}
