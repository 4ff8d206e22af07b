import { LONGEST_SIGN_IN_HOURS, type SessionRequest, type SignInInfo } from '@caregate/domain';
import { Inject, Injectable } from '@nestjs/common';
import { AccessStore } from '../access-store.ts';
import { CONFIG } from '../../common/tokens.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { listValidKeys, type DeskRow } from '../repositories/desk.repository.ts';
import type { NewSession, SessionRow } from '../repositories/session.repository.ts';
import { SignInError } from '../sessions/session-problems.ts';
import { LEAST_PIN_DIGITS, MOST_PIN_DIGITS } from '../sessions/pin-rules.ts';
import { IdTokens, computeNonce, type CheckedIdentity } from './id-token.ts';
import { Provider } from './provider.ts';

const LOCK_MINUTES = 5;
/** The newest and the oldest version of the desk interface that the service supports. */
const DESK_INTERFACES = { desk_interface: 1, oldest_desk_interface: 1 };
/** Maximum age in milliseconds of the sign-in for an emergency access. */
const REPEAT_WITHIN_MS = 2 * 60_000;
const SKEW_MS = 60_000;

type PresentedIdToken = Pick<SessionRequest, 'id_token' | 'nonce_random'>;

/** Signs in staff with ID tokens of the clinic's identity provider. */
@Injectable()
export class SignIn {
  readonly info: SignInInfo;
  readonly #idTokens: IdTokens | undefined;

  constructor(
    private readonly access: AccessStore,
    @Inject(CONFIG) config: ServiceConfig,
  ) {
    const { clinicName, oidcIssuer: issuer, oidcClientId, oidcClientSecret } = config;
    this.info = {
      clinic_name: clinicName || null,
      provider:
        issuer === ''
          ? null
          : {
              issuer,
              client_id: oidcClientId,
              name: new URL(issuer).hostname,
              client_secret: oidcClientSecret || null,
            },
      pin: { min: LEAST_PIN_DIGITS, max: MOST_PIN_DIGITS },
      ...DESK_INTERFACES,
      lock_minutes: LOCK_MINUTES,
      session_hours: LONGEST_SIGN_IN_HOURS,
    };
    if (issuer !== '') {
      this.#idTokens = new IdTokens(new Provider(issuer), oidcClientId, access.database.now);
    }
  }

  /** @throws SignInError */
  async begin(desk: DeskRow, presented: PresentedIdToken): Promise<NewSession> {
    return await this.access.sessions.begin(desk, await this.#identify(desk, presented));
  }

  /** Requires that the user has signed in again, as with `max_age=0`. @throws SignInError */
  async repeat(session: SessionRow, presented: PresentedIdToken): Promise<void> {
    const identity = await this.#identify(session, presented);
    const ageMs = this.access.database.now() - (identity.authTimeMs ?? -Infinity);
    if (!(ageMs <= REPEAT_WITHIN_MS && ageMs >= -SKEW_MS)) {
      throw new SignInError('stale-sign-in');
    }
    await this.access.sessions.useRepeatedSignIn(session, identity);
  }

  async #identify(
    desk: Parameters<typeof listValidKeys>[0],
    { id_token: idToken, nonce_random: random }: PresentedIdToken,
  ): Promise<CheckedIdentity> {
    if (this.#idTokens === undefined) {
      throw new SignInError('wrong-issuer');
    }
    const nonces = listValidKeys(desk, this.access.database.now()).map((key) =>
      computeNonce(key, random),
    );
    return await this.#idTokens.check(idToken, nonces);
  }
}
