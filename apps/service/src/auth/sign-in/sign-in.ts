import { LONGEST_SIGN_IN_HOURS, type SignInInfo } from '@caregate/domain';
import type { Begun, SessionStore } from '../sessions/session-store.ts';
import { LEAST_PIN_DIGITS, MOST_PIN_DIGITS } from '../sessions/pin-rules.ts';
import { SignInError } from '../sessions/person.ts';
import type { SessionRow } from '../sessions/session-lookup.ts';
import { keysOf, type DeskRow } from '../desks/desk-store.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { IdTokens, nonceOf, type Identity } from './id-token.ts';
import { Provider } from './provider.ts';

const LOCK_MINUTES = 5;
/** The newest interface for desks, and the oldest that still works. */
const DESK_INTERFACES = { desk_interface: 1, oldest_desk_interface: 1 };
const AGAIN_WITHIN_MS = 2 * 60_000;
const SKEW_MS = 60_000;

export type SignInConfig = Pick<
  ServiceConfig,
  'clinicName' | 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret'
>;

export interface PresentedIdToken {
  readonly idToken: string;
  readonly nonceRandom: string;
}

export class SignIn {
  readonly #config: SignInConfig;
  readonly #sessions: SessionStore;
  readonly #idTokens: IdTokens | undefined;
  readonly #now: () => number;

  constructor(config: SignInConfig, sessions: SessionStore, now: () => number) {
    this.#config = config;
    this.#sessions = sessions;
    this.#now = now;
    if (config.oidcIssuer !== '') {
      this.#idTokens = new IdTokens(new Provider(config.oidcIssuer), config.oidcClientId, now);
    }
  }

  get info(): SignInInfo {
    const { clinicName, oidcIssuer, oidcClientId, oidcClientSecret } = this.#config;
    return {
      clinic_name: clinicName === '' ? null : clinicName,
      provider:
        oidcIssuer === ''
          ? null
          : {
              issuer: oidcIssuer,
              client_id: oidcClientId,
              name: new URL(oidcIssuer).hostname,
              client_secret: oidcClientSecret === '' ? null : oidcClientSecret,
            },
      pin: { min: LEAST_PIN_DIGITS, max: MOST_PIN_DIGITS },
      ...DESK_INTERFACES,
      lock_minutes: LOCK_MINUTES,
      session_hours: LONGEST_SIGN_IN_HOURS,
    };
  }

  /** @throws SignInError */
  async withIdToken(desk: DeskRow, presented: PresentedIdToken): Promise<Begun> {
    const identity = await this.#identify(desk, presented);
    const { token } = identity;
    return await this.#sessions.begin({ desk, person: identity, token });
  }

  /** Requires `max_age=0`. @throws SignInError */
  async provedAgain(session: SessionRow, presented: PresentedIdToken): Promise<void> {
    const identity = await this.#identify(session, presented);
    const { authTimeMs, token } = identity;
    const ageMs = this.#now() - (authTimeMs ?? -Infinity);
    if (!(ageMs <= AGAIN_WITHIN_MS && ageMs >= -SKEW_MS)) {
      throw new SignInError('stale-sign-in');
    }
    await this.#sessions.takeAgain(session, identity, token);
  }

  async #identify(
    desk: Parameters<typeof keysOf>[0],
    { idToken, nonceRandom }: PresentedIdToken,
  ): Promise<Identity> {
    if (this.#idTokens === undefined) {
      throw new SignInError('wrong-issuer');
    }
    const nonces = keysOf(desk, this.#now()).map((key) => nonceOf(key, nonceRandom));
    return await this.#idTokens.check(idToken, { nonces });
  }
}
