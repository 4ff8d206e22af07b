import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIn, startIdentityProvider, type IdentityProvider } from '@caregate/identity-provider';
import { sampleTeamId } from '@caregate/sample-data';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';
import { TestDesk } from '../sessions/desk.testing.ts';
import { enrolledDesk, fromDesk, type EnrolledTestDesk } from '../sessions/signed-in.testing.ts';

// Not the defaults: another spec of this worker may have added to them.
const known = getCACertificates('bundled');
const subjects = { 'front-desk': 'front_desk', clinician: 'clinician', auditor: 'auditor' };
let namesake: string;
let provider: IdentityProvider;
let service: TestService;
let at: EnrolledTestDesk;

beforeAll(async () => {
  // The server would add another spec's authority to its chain.
  setDefaultCACertificates(known);
  const other = await startIdentityProvider();
  namesake = other.caCertificate;
  await other.stop();
  provider = await startIdentityProvider();
  setDefaultCACertificates([...known, provider.caCertificate]);
  service = await testService([], {
    config: { oidcIssuer: provider.issuer, oidcClientId: provider.clientId },
  });
  at = await enrolledDesk(service, sampleTeamId);
  for (const [subject, role] of Object.entries(subjects)) {
    const person = { teamId: sampleTeamId, role, name: subject, issuer: provider.issuer, subject };
    await service.access.staff.add(person);
  }
});
afterAll(async () => {
  setDefaultCACertificates(known);
  await service.close();
  await provider.stop();
});

const present = async (idToken: string, random: string): Promise<Answer> =>
  await fromDesk(service, at.desk, '/access/sessions', {
    body: { desk_id: at.deskId, id_token: idToken, nonce_random: random },
  });

const reasonOf = ({ status, body }: Answer): unknown => [
  status,
  (JSON.parse(body) as { readonly reason?: string }).reason,
];

describe('a real provider, over TLS by an authority of its own', () => {
  it.each(Object.entries(subjects))('signs %s in as %s', async (subject, role) => {
    const { nonce, random } = at.desk.nonce();
    const { id_token, access_token } = await signIn(provider, subject, { nonce });
    expect(reasonOf(await present(access_token, random))).toEqual([401, 'not-an-id-token']);
    const answer = await present(id_token, random);
    expect([answer.status, answer.json()]).toMatchObject([201, { staff: { name: subject, role } }]);
    expect(reasonOf(await present(id_token, random))).toEqual([401, 'used']);
  });

  it('signs in at a desk whose key changed meanwhile', async () => {
    const { desk, deskId } = await enrolledDesk(service, sampleTeamId);
    const { nonce, random } = desk.nonce();
    const { id_token } = await signIn(provider, 'auditor', { nonce });
    const next = new TestDesk();
    const offered = { by: desk.thumbprint, next: next.thumbprint };
    await service.access.desks.offerKey(deskId, offered);
    await service.access.desks.turnKey(deskId, next.thumbprint);
    const body = { desk_id: deskId, id_token, nonce_random: random };
    expect((await fromDesk(service, next, '/access/sessions', { body })).status).toBe(201);
  });

  it.each(['that nobody', 'that an authority of the same name'])(
    '%s vouches for is refused, and what would vouch for it is named',
    async (who) => {
      const { nonce, random } = at.desk.nonce();
      const { id_token } = await signIn(provider, 'auditor', { nonce });
      setDefaultCACertificates([...known, ...(who === 'that nobody' ? [] : [namesake])]);
      const { issuer: oidcIssuer, clientId: oidcClientId } = provider;
      const other = await testService([], { config: { oidcIssuer, oidcClientId } });
      try {
        const { desk, deskId } = await enrolledDesk(other, sampleTeamId);
        // The second request gets the failure of the first.
        for (const attempt of [1, 2]) {
          const answer = await fromDesk(other, desk, '/access/sessions', {
            body: { desk_id: deskId, id_token, nonce_random: random },
          });
          expect([attempt, ...(reasonOf(answer) as unknown[])]).toEqual([
            ...[attempt, 503, 'provider-unreachable'],
          ]);
          expect(answer.body).toContain('NODE_EXTRA_CA_CERTS');
        }
      } finally {
        setDefaultCACertificates([...known, provider.caCertificate]);
        await other.close();
      }
    },
  );

  it('gets 503 while it is down, and signs in afterwards', async () => {
    const { nonce, random } = at.desk.nonce();
    const { id_token } = await signIn(provider, 'auditor', { nonce });
    const { issuer: oidcIssuer, clientId: oidcClientId } = provider;
    const other = await testService([], { config: { oidcIssuer, oidcClientId } });
    try {
      const desk = await enrolledDesk(other, sampleTeamId);
      const attempt = async (): Promise<Answer> =>
        await fromDesk(other, desk.desk, '/access/sessions', {
          body: { desk_id: desk.deskId, id_token, nonce_random: random },
        });
      await provider.down();
      const answers = await Promise.all([attempt(), attempt()]);
      for (const answer of [...answers, await attempt()]) {
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
