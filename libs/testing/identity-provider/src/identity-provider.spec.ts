import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACR } from './provider.ts';
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

interface Claims {
  readonly auth_time: number;
  readonly kid?: string;
}

function part(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

function json(path: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const options = { ca: provider.caCertificate, agent: false as const };
    get(provider.issuer + path, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        resolve(JSON.parse(body) as Record<string, unknown>);
      });
    }).on('error', reject);
  });
}

const authorization = (parts: Readonly<Record<string, string>>): string =>
  `${provider.issuer}/auth?${new URLSearchParams({
    client_id: provider.clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://127.0.0.1:54321/callback',
    ...parts,
  }).toString()}`;
const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };

describe('the identity provider', () => {
  it.each(PEOPLE)('signs in $name by one click, and says who it was', async (person) => {
    const { id_token } = await signIn(provider, person.subject, { nonce: 'n-1' });
    expect(part(id_token, 1)).toMatchObject({
      iss: provider.issuer,
      aud: provider.clientId,
      sub: person.subject,
      name: person.name,
      groups: person.groups,
      nonce: 'n-1',
    });
  });

  it('asks again where the client wants a fresh sign-in, and says when it was and how', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { id_token } = await signIn(provider, 'clinician', { nonce: 'n', maxAge: 0, acr: ACR });
    const { auth_time, ...claims } = part(id_token, 1) as unknown as Claims;
    expect(auth_time).toBeGreaterThanOrEqual(before);
    expect(claims).toMatchObject({ acr: ACR });
  });

  it('takes a loopback redirect of any port, and of no other address', async () => {
    const browser = new Browser(provider.caCertificate);
    const back = await browser.signIn(authorization(challenge), 'auditor');
    expect([back.host, back.searchParams.get('iss')]).toEqual(['127.0.0.1:54321', provider.issuer]);
    const elsewhere = authorization({ ...challenge, redirect_uri: 'http://192.0.2.1/callback' });
    await expect(browser.signIn(elsewhere, 'auditor')).rejects.toThrow('redirect_uri');
  });

  it('refuses a client without PKCE, and sends a cancelled sign-in back', async () => {
    const browser = new Browser(provider.caCertificate);
    const without = await browser.signIn(authorization({}), 'auditor');
    expect(without.searchParams.get('error')).toBe('invalid_request');
    const cancelled = await browser.signIn(authorization(challenge), undefined);
    expect(cancelled.searchParams.get('error')).toBe('access_denied');
  });

  it('signs with another key after a rotation, and no longer shows the one before', async () => {
    const of = async (): Promise<unknown> =>
      part((await signIn(provider, 'auditor', { nonce: 'n' })).id_token, 0)['kid'];
    const before = await of();
    await provider.rotateKeys();
    const after = await of();
    expect(after).not.toBe(before);
    const { keys } = (await json('/jwks')) as { keys: { kid: string }[] };
    expect(keys.map(({ kid }) => kid)).toEqual([after]);
  });

  it('can be down and up again on the same address', async () => {
    const { issuer } = provider;
    await provider.down();
    await expect(json('/jwks')).rejects.toThrow('ECONNREFUSED');
    await provider.up();
    expect(provider.issuer).toBe(issuer);
    expect(await json('/.well-known/openid-configuration')).toMatchObject({ issuer });
  });

  it('is vouched for by an authority of its own alone', () => {
    const ca = new X509Certificate(readFileSync(provider.caFile));
    expect([ca.ca, ca.checkIssued(ca)]).toEqual([true, true]);
  });
});

it('shows its pages over plain HTTP on this computer where it is told to, and nothing else', async () => {
  const plain = await startIdentityProvider({ plainPages: true });
  try {
    const { id_token } = await signIn(plain, 'auditor', { nonce: 'n' });
    expect(part(id_token, 1)).toMatchObject({ iss: plain.issuer });
  } finally {
    await plain.stop();
  }
});
