import { createHash, randomBytes } from 'node:crypto';
import { Browser, send } from './browser.ts';
import { CLIENT_ID } from './provider.ts';
import type { IdentityProvider } from './start-identity-provider.ts';

const redirect = 'http://127.0.0.1:9/callback';

export interface SignInWish {
  readonly nonce: string;
  /** Maximum age of the authentication in seconds; 0 forces a new one. */
  readonly maxAge?: number;
  readonly scope?: string;
}

export interface Tokens {
  readonly id_token: string;
  readonly access_token: string;
}

/** Signs a person in by the authorization code flow with PKCE, and returns the provider's tokens. */
export async function signIn(
  provider: IdentityProvider,
  subject: string,
  { nonce, maxAge, scope = 'openid profile email' }: SignInWish,
): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL('/auth', provider.issuer);
  url.search = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: redirect,
    scope,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  }).toString();
  const back = await new Browser(provider.caCertificate).signIn(url.href, subject);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`The provider refused: ${back.search}`);
  return redeem(provider, { code, code_verifier: verifier });
}

/** Exchanges a code at the token endpoint. Rejects with the provider's response if it refuses. */
async function redeem(
  provider: IdentityProvider,
  parts: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const all = { grant_type: 'authorization_code', client_id: CLIENT_ID, redirect_uri: redirect };
  const form = new URLSearchParams({ ...all, ...parts }).toString();
  const url = new URL('/token', provider.issuer);
  const { status, body } = await send(url, { ca: provider.caCertificate, form });
  if (status !== 200) throw new Error(body);
  return JSON.parse(body) as Tokens;
}
