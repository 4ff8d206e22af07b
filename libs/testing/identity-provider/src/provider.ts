import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import Provider from 'oidc-provider';
import type { AdapterFactory, Configuration, JWK } from 'oidc-provider';
import { PEOPLE } from './people.ts';

/** A public client. It may use any port of a loopback redirect (RFC 8252, 7.3). */
export const CLIENT_ID = 'caregate-desktop';

export async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: randomUUID() };
}

interface ProviderParts {
  readonly issuer: string;
  /** The first key signs; the others only verify. */
  readonly keys: readonly JWK[];
  readonly cookieKey: string;
  readonly memory: AdapterFactory;
}

/** Creates a provider. With the memory of an earlier provider, it continues that provider's sessions. */
export function makeProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.issuer, configuration(parts));
  provider.on('server_error', (_ctx, error: Error) => {
    console.error(error);
  });
  return provider;
}

function configuration({ keys, cookieKey, memory }: ProviderParts): Configuration {
  return {
    adapter: memory,
    clients: [
      {
        client_id: CLIENT_ID,
        client_name: 'Caregate',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [...keys] },
    cookies: { keys: [cookieKey] },
    scopes: ['openid', 'profile', 'email'],
    claims: { profile: ['name'], email: ['email'] },
    // Puts the claims into the ID token, as Keycloak and Entra do.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: {
      AuthorizationCode: 60,
      AccessToken: 300,
      IdToken: 300,
      Interaction: 600,
      Session: 3600,
      Grant: 3600,
    },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'text/plain';
      ctx.body = `${error}: ${error_description ?? ''}`;
    },
    interactions: { url: (_ctx, { uid }) => `/people/${uid}` },
    pkce: { required: () => true },
    findAccount: (_ctx, subject) => {
      const person = PEOPLE.find((one) => one.subject === subject);
      if (person === undefined) return undefined;
      const { name, email } = person;
      return {
        accountId: subject,
        claims: () => ({ sub: subject, name, email }),
      };
    },
    // A first-party client needs no consent.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const clientId = client?.clientId;
      const accountId = session?.accountId;
      if (clientId === undefined || accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId, accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}
