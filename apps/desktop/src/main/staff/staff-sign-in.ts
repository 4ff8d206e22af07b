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
import { succeed, fail, type Outcome } from '../../shared/problem.ts';
import type {
  BrowserParts,
  ProviderAddress,
  SignInResult,
  SignInRequest,
} from '../sign-in/browser-sign-in.ts';
import { ServiceClient } from '../service/service-client.ts';
import {
  badgeHolderSchema,
  enrolledDeskSchema,
  findInterfaceProblem,
  sessionSchema,
  signInInfoSchema,
} from './answers.ts';
import type { SignInInfo } from './answers.ts';
import { DeskKey } from './desk-key.ts';
import type { DeskStore, EnrolledDesk } from './desk-store.ts';
import { PersonSession, type FreshProof } from './person-session.ts';

/** The desk's key is replaced at the age at which API keys expire. */
const rotateAfter = 90 * 24 * 60 * 60_000;

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

  getInfo(address: string): SignInInfo | undefined {
    return this.#infos.get(address);
  }

  getDesk(address: string): EnrolledDesk | undefined {
    return this.#parts.store.get(address);
  }

  async lookUp(address: string): Promise<Outcome<undefined>> {
    const found = await this.#createClient(address).ask(signInInfo, signInInfoSchema);
    if (!found.ok) return found.problem.kind === 'notFound' ? fail('notCaregate') : found;
    const problem = findInterfaceProblem(found.value);
    if (problem !== undefined) return { ok: false, problem };
    this.#infos.set(address, found.value);
    return { ok: true, value: undefined };
  }

  async enrolDesk(address: string, code: string, name?: string): Promise<Outcome<undefined>> {
    const key = DeskKey.generate();
    const body = { code, ...(name !== undefined && { name }) };
    const enrolled = await this.#createClient(address, key).ask(
      (service, options) => enrolDesk(service, body, options),
      enrolledDeskSchema,
    );
    if (!enrolled.ok) {
      // The service may reject a malformed code as invalid input.
      return enrolled.problem.kind === 'invalid' ? fail('enrolmentRefused') : enrolled;
    }
    const { desk_id: deskId, name: deskName } = enrolled.value;
    this.#parts.store.save(address, { deskId, name: deskName, key, keySince: Date.now() });
    return { ok: true, value: undefined };
  }

  async signInByBrowser(
    address: string,
    signal: AbortSignal,
    openBrowser = this.#parts.browser.openBrowser,
  ): Promise<Outcome<PersonSession>> {
    const desk = this.getDesk(address);
    if (desk === undefined) return fail('notEnrolled');
    const proof = await this.#requestProof(address, desk, { isFresh: false, signal, openBrowser });
    if (!proof.ok) return proof;
    return this.#begin(address, desk, { desk_id: desk.deskId, ...proof.value });
  }

  async requestFreshProof(address: string, signal: AbortSignal): Promise<Outcome<FreshProof>> {
    const desk = this.getDesk(address);
    if (desk === undefined) return fail('notEnrolled');
    const { openBrowser } = this.#parts.browser;
    return this.#requestProof(address, desk, { isFresh: true, signal, openBrowser });
  }

  /** Returns the staff ID of the badge's owner. A badge selects a user, but doesn't authenticate them. */
  async readBadge(address: string, badge: string): Promise<Outcome<string>> {
    const desk = this.getDesk(address);
    if (desk === undefined) return fail('notEnrolled');
    const body = { desk_id: desk.deskId, badge };
    const found = await this.#createClient(address, desk.key).ask(
      (service, options) => readBadge(service, body, options),
      badgeHolderSchema,
    );
    if (found.ok) return { ok: true, value: found.value.staff_id };
    const { kind } = found.problem;
    return kind === 'notFound' || kind === 'invalid' ? fail('unknownBadge') : found;
  }

  forgetDesk(address: string): void {
    this.#parts.store.forget(address);
  }

  async #requestProof(
    address: string,
    desk: EnrolledDesk,
    {
      openBrowser,
      ...attempt
    }: Pick<SignInRequest, 'isFresh' | 'signal'> & Pick<BrowserParts, 'openBrowser'>,
  ): Promise<Outcome<FreshProof>> {
    if (this.getInfo(address) === undefined) {
      const lookup = await this.lookUp(address);
      if (!lookup.ok) return lookup;
    }
    const provider = this.getInfo(address)?.provider;
    if (!provider) return fail('noProvider');
    const random = randomBytes(32).toString('base64url');
    const browser = { ...this.#parts.browser, openBrowser };
    const result = await this.openPage(browser, {
      provider: readAddress(provider),
      nonce: desk.key.computeNonce(random),
      ...attempt,
    });
    if ('problem' in result) return fail(result.problem);
    // The sign-in may be cancelled during the token request.
    if (attempt.signal.aborted) return fail('cancelled');
    return succeed({ id_token: result.idToken, nonce_random: random });
  }

  /** The OpenID Connect code is a large part of main, so it is loaded at the first sign-in. */
  protected async openPage(browser: BrowserParts, request: SignInRequest): Promise<SignInResult> {
    const { signInByBrowser } = await import('../sign-in/browser-sign-in.ts');
    return signInByBrowser(browser, request);
  }

  async #begin(
    address: string,
    desk: EnrolledDesk,
    body: SessionRequest,
  ): Promise<Outcome<PersonSession>> {
    const result = await this.#createClient(address, desk.key).ask(
      (service, options) => beginSession(service, body, options),
      sessionSchema,
    );
    if (!result.ok) return result;
    const { session: token } = result.value;
    if (!token) return fail('serverBroken');
    const { fetch } = this.#parts;
    const getKey = (): DeskKey => (this.getDesk(address) ?? desk).key;
    const person = { address, fetch, key: getKey, token, session: result.value };
    void this.#rotateKey(address, desk);
    return { ok: true, value: new PersonSession(person) };
  }

  /**
   * Replaces an old key. The desk uses its old key until the new one is stored; after a failure, the next sign-in tries
   * again. Never throws.
   */
  async #rotateKey(address: string, desk: EnrolledDesk): Promise<void> {
    const now = Date.now();
    if (now - desk.keySince < rotateAfter) return;
    const { deskId, key } = desk;
    const next = DeskKey.generate();
    const proof = next.createProof('POST', `${address}/access/desks/key`, deskId);
    const offered = await this.#createClient(address, key, proof).call((service, options) =>
      offerDeskKey(service, { desk_id: deskId, proof }, options),
    );
    if (!offered.ok || this.getDesk(address) !== desk) return;
    try {
      this.#parts.store.save(address, { ...desk, key: next, keySince: now });
    } catch {
      // The disk may be full.
    }
  }

  #createClient(address: string, key?: DeskKey, boundToken?: string): ServiceClient {
    return new ServiceClient(address, this.#parts.fetch, ({ method, url }) => ({
      ...(key !== undefined && { dpop: key.createProof(method, url, boundToken) }),
    }));
  }
}

function readAddress(provider: NonNullable<SignInInfo['provider']>): ProviderAddress {
  const { issuer, client_id: clientId, client_secret: clientSecret } = provider;
  return { issuer, clientId, ...(clientSecret && { clientSecret }) };
}
