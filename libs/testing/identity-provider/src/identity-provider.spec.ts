import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from './browser.ts';
import { PEOPLE } from './people.ts';
import { signIn } from './sign-in.ts';
import { startIdentityProvider } from './start-identity-provider.ts';
import type { IdentityProvider } from './start-identity-provider.ts';

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(async () => {
  await provider.stop();
});

function part(token: string, index: number): Record<string, unknown> {
  const text = Buffer.from(token.split('.')[index]!, 'base64url').toString();
  return JSON.parse(text) as Record<string, unknown>;
}

describe('the identity provider', () => {
  it.each(PEOPLE)('signs in $name by one click, and says who it was', async (person) => {
    const { id_token } = await signIn(provider, person.subject, { nonce: 'n-1' });
    expect(part(id_token, 1)).toMatchObject({
      iss: provider.issuer,
      aud: provider.clientId,
      sub: person.subject,
      name: person.name,
      nonce: 'n-1',
    });
  });

  it('asks again where the client wants a fresh sign-in, and says when it was', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { id_token } = await signIn(provider, 'clinician', { nonce: 'n', maxAge: 0 });
    const { auth_time } = part(id_token, 1);
    expect(auth_time).toBeGreaterThanOrEqual(before);
  });

  it('sends a cancelled sign-in back', async () => {
    const query = new URLSearchParams({
      client_id: provider.clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://127.0.0.1:54321/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const browser = new Browser(provider.caCertificate);
    const back = await browser.signIn(`${provider.issuer}/auth?${query.toString()}`, undefined);
    expect([back.host, back.searchParams.get('error')]).toEqual([
      '127.0.0.1:54321',
      'access_denied',
    ]);
  });

  it('signs with another key after a rotation, on the same address after it was down', async () => {
    const keyId = async (): Promise<unknown> =>
      part((await signIn(provider, 'auditor', { nonce: 'n' })).id_token, 0)['kid'];
    const [before, { issuer }] = [await keyId(), provider];
    await provider.rotateKeys();
    expect(await keyId()).not.toBe(before);
    await provider.down();
    await expect(keyId()).rejects.toThrow('ECONNREFUSED');
    await provider.up();
    await keyId();
    expect(provider.issuer).toBe(issuer);
  });
});

it('serves plain HTTP on this computer where it is told to, and signs in whom the client names without a click', async () => {
  const plain = await startIdentityProvider({ plainHttp: true });
  try {
    expect(plain.issuer).toMatch(/^http:\/\/127\.0\.0\.1:/u);
    const { id_token } = await signIn(plain, 'auditor', { nonce: 'n' });
    expect(part(id_token, 1)).toMatchObject({ iss: plain.issuer });
    const query = new URLSearchParams({
      client_id: plain.clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://127.0.0.1:54321/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      login_hint: 'clinician',
    });
    // Nobody is clicked: Cancel would be refused.
    const back = await new Browser('').signIn(
      `${plain.issuer}/auth?${query.toString()}`,
      undefined,
    );
    expect(back.searchParams.get('code')).not.toBeNull();
  } finally {
    await plain.stop();
  }
});
