import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIn, startIdentityProvider, type IdentityProvider } from '@caregate/identity-provider';
import { sampleTeamId } from '@caregate/sample-data';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';
import { TestDesk } from '../sessions/desk.testing.ts';
import {
  enrolledDesk,
  presentToken,
  type EnrolledTestDesk,
} from '../sessions/signed-in.testing.ts';

// Another spec in this worker may have changed the default certificates.
const bundled = getCACertificates('bundled');
let namesake: string;
let provider: IdentityProvider;
let service: TestService;
let at: EnrolledTestDesk;

beforeAll(async () => {
  // Otherwise, the server would add another spec's authority to its chain.
  setDefaultCACertificates(bundled);
  const other = await startIdentityProvider();
  namesake = other.caCertificate;
  await other.stop();
  provider = await startIdentityProvider();
  setDefaultCACertificates([...bundled, provider.caCertificate]);
  service = await startService();
  at = await enrolledDesk(service, sampleTeamId);
  await service.access.staff.add({
    ...{ teamId: sampleTeamId, role: 'clinician', name: 'Ines' },
    ...{ issuer: provider.issuer, subject: 'clinician' },
  });
});
afterAll(async () => {
  setDefaultCACertificates(bundled);
  await service.close();
  await provider.stop();
});

async function startService(): Promise<TestService> {
  const { issuer: oidcIssuer, clientId: oidcClientId } = provider;
  return await testService([], { config: { oidcIssuer, oidcClientId } });
}

/** Asks the provider for an ID token for the desk. */
async function requestTokens({ desk }: EnrolledTestDesk) {
  const { nonce, random } = desk.nonce();
  return { random, ...(await signIn(provider, 'clinician', { nonce })) };
}

const present = async (idToken: string, random: string, desk = at): Promise<Answer> =>
  await presentToken(service, desk, idToken, random);

const reasonOf = ({ status, body }: Answer): unknown[] => [
  status,
  (JSON.parse(body) as { readonly reason?: string }).reason,
];

describe('a real provider, over TLS with its own authority', () => {
  it('signs a person in by their ID token, once, and not by an access token', async () => {
    const { id_token, access_token, random } = await requestTokens(at);
    expect(reasonOf(await present(access_token, random))).toEqual([401, 'not-an-id-token']);
    const answer = await present(id_token, random);
    expect([answer.status, answer.json()]).toMatchObject([
      201,
      { staff: { name: 'Ines', role: 'clinician' } },
    ]);
    expect(reasonOf(await present(id_token, random))).toEqual([401, 'used']);
  });

  it('signs in at a desk whose key changed meanwhile', async () => {
    const own = await enrolledDesk(service, sampleTeamId);
    const { id_token, random } = await requestTokens(own);
    const desk = new TestDesk();
    const offered = { by: own.desk.thumbprint, next: desk.thumbprint };
    await service.access.desks.offerKey(own.deskId, offered);
    await service.access.desks.activateOfferedKey(own.deskId, desk.thumbprint);
    expect((await present(id_token, random, { ...own, desk })).status).toBe(201);
  });

  it.each(['that nobody', 'that an authority of the same name'])(
    '%s vouches for is refused, and what would vouch for it is named',
    async (who) => {
      setDefaultCACertificates([...bundled, ...(who === 'that nobody' ? [] : [namesake])]);
      const other = await startService();
      try {
        const desk = await enrolledDesk(other, sampleTeamId);
        // The second attempt gets the cached failure of the first one.
        for (const attempt of [1, 2]) {
          const answer = await presentToken(other, desk, 'x.y.z', 'random');
          const expected = [attempt, 503, 'provider-unreachable'];
          expect([attempt, ...reasonOf(answer)]).toEqual(expected);
          expect(answer.body).toContain('NODE_EXTRA_CA_CERTS');
        }
      } finally {
        setDefaultCACertificates([...bundled, provider.caCertificate]);
        await other.close();
      }
    },
  );

  it('gets 503 while it is down, and signs in afterwards', async () => {
    const { id_token, random } = await requestTokens(at);
    const other = await startService();
    try {
      const desk = await enrolledDesk(other, sampleTeamId);
      const attempt = (): Promise<Answer> => presentToken(other, desk, id_token, random);
      await provider.down();
      for (const answer of [...(await Promise.all([attempt(), attempt()])), await attempt()]) {
        expect(reasonOf(answer)).toEqual([503, 'provider-unreachable']);
        expect(answer.headers['retry-after']).toBe('5');
      }
    } finally {
      await provider.up();
      await other.close();
    }
    expect((await present(id_token, random)).status).toBe(201);
  });
});
