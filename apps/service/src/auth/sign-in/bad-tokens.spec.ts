import { describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { createHmac, randomUUID } from 'node:crypto';
import { enrolledDesk, presentToken } from '../sessions/signed-in.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';
import { readConfig } from '../../config/read-config.ts';
import { testService, type Answer, startSpecService } from '../../testing/service.testing.ts';
import { ForgingProvider, type TokenChanges } from './forging-provider.testing.ts';

const subject = 'clinician';
const team = { teamId: sampleTeamId, role: 'clinician' } as const;

const provider = await ForgingProvider.forSpec();
const { issuer, clientId: oidcClientId } = provider;
const service = await startSpecService([], { config: { oidcIssuer: issuer, oidcClientId } });
const at = await enrolledDesk(service, sampleTeamId);
await service.access.staff.add({ ...team, name: 'Ines', issuer, subject });

const present = async (idToken: string, random: string, desk = at): Promise<Answer> =>
  await presentToken(service, desk, idToken, random);

async function signIn(changes: TokenChanges = {}, who = subject, desk = at): Promise<Answer> {
  const { nonce, random } = desk.desk.nonce();
  return await present(await provider.token(who, nonce, changes), random, desk);
}

const summarize = ({ status, body }: Answer): unknown => {
  const { reason, detail = '' } = JSON.parse(body) as { reason?: string; detail?: string };
  // The detail is a sentence without values of the request.
  expect(detail).toMatch(/^[A-Z][^{}]{20,}\.$/u);
  expect(detail).not.toContain(subject);
  return [status, reason];
};

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an ID token', () => {
  it('signs a person in once', async () => {
    const { nonce, random } = at.desk.nonce();
    const token = await provider.token(subject, nonce);
    const answer = await present(token, random);
    expect([answer.status, answer.json()]).toMatchObject([
      201,
      { staff: { name: 'Ines', role: 'clinician' }, pin_set: false },
    ]);
    expect(summarize(await present(token, random))).toEqual([401, 'used']);
    const again = at.desk.nonce();
    const other = await provider.token(subject, again.nonce);
    const both = await Promise.all([present(other, again.random), present(other, again.random)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  it.each<readonly [string, TokenChanges]>([
    ['expired', { expires: -61 }],
    ['not-yet-valid', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
    ['wrong-issuer', { claims: { iss: 'https://id.example' } }],
    ['wrong-audience', { claims: { aud: 'another application' } }],
    ['wrong-audience', { claims: { aud: ['caregate-desktop', 'another'], azp: 'another' } }],
    ['wrong-nonce', { claims: { nonce: 'of another desk' } }],
    ['not-an-id-token', { claims: { nonce: undefined } }],
    ['not-an-id-token', { header: { typ: 'at+jwt' } }],
    ['not-an-id-token', { claims: { typ: 'Bearer' } }],
    ['not-an-id-token', { claims: { token_use: 'access' } }],
    ['not-an-id-token', { claims: { exp: undefined } }],
    ['not-an-id-token', { claims: { exp: 'tomorrow' } }],
    ['not-an-id-token', { claims: { sub: '' } }],
    ['unknown-key', { header: { kid: 'nobody has it' } }],
  ])('that is %s is refused with its reason: %j', async (reason, changes) => {
    expect(summarize(await signIn(changes))).toEqual([401, reason]);
  });

  it('may be a minute off', async () => {
    const nbf = Math.floor(Date.now() / 1000) + 30;
    for (const changes of [{ expires: -30 }, { claims: { nbf } }]) {
      expect((await signIn(changes)).status).toBe(201);
    }
  });

  it('without a signature, signed with another key, or with the public key as a secret is refused', async () => {
    const { nonce, random } = at.desk.nonce();
    const payload = encoded(provider.claims(subject, nonce));
    const none = `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    expect(summarize(await present(none, random))).toEqual([401, 'wrong-algorithm']);
    const head = `${encoded({ alg: 'HS256', kid: provider.publicJwk['kid'] })}.${payload}`;
    for (const secret of [JSON.stringify(provider.publicJwk), String(provider.publicJwk['x'])]) {
      const mac = createHmac('sha256', secret).update(head).digest('base64url');
      expect(summarize(await present(`${head}.${mac}`, random))).toEqual([401, 'wrong-algorithm']);
    }
    const right = await provider.token(subject, nonce);
    const forged = [
      right.split('.')[0],
      payload,
      right.split('.')[2]?.replace(/^./u, (one) => (one === '-' ? 'A' : '-')),
    ].join('.');
    expect(summarize(await present(forged, random))).toEqual([401, 'bad-signature']);
    for (const nothing of ['', 'opaque', 'a.b.c', 'x'.repeat(40_000)]) {
      expect(summarize(await present(nothing, random))).toEqual([401, 'not-an-id-token']);
    }
  });

  it('of another desk, or with another random part, is refused', async () => {
    const other = await enrolledDesk(service, sampleTeamId);
    const { nonce, random } = other.desk.nonce();
    const token = await provider.token(subject, nonce);
    expect(summarize(await present(token, random))).toEqual([401, 'wrong-nonce']);
    expect(summarize(await present(token, randomUUID(), other))).toEqual([401, 'wrong-nonce']);
    expect((await present(token, random, other)).status).toBe(201);
  });

  it('is refused for an unknown or disabled person, and at an unknown or revoked desk', async () => {
    expect(summarize(await signIn({}, 'nobody'))).toEqual([401, 'unknown-person']);
    const gone = await service.access.staff.add({
      ...{ ...team, name: 'Gone', issuer: provider.issuer, subject: 'gone' },
    });
    await service.access.staff.disable(gone.staffId);
    expect(summarize(await signIn({}, 'gone'))).toEqual([401, 'disabled']);
    const revoked = await enrolledDesk(service, sampleTeamId);
    await service.access.desks.revoke(revoked.deskId);
    const elsewhere = await enrolledDesk(service, '7c9e6679-7425-40de-944b-e07fc1f90ae7');
    for (const [desk, reason] of [
      [revoked, 'unknown-desk'],
      [{ ...at, deskId: randomUUID() }, 'unknown-desk'],
      [elsewhere, 'unknown-person'],
    ] as const) {
      expect(summarize(await signIn({}, subject, desk))).toEqual([401, reason]);
    }
  });

  it('binds who was added by e-mail address at the first sign-in, if the provider has verified it', async () => {
    await service.access.staff.add({ ...team, name: 'Noor', email: 'Noor@clinic.example' });
    const email = 'noor@clinic.example';
    expect(summarize(await signIn({ claims: { email } }, 'noor'))).toEqual([401, 'unknown-person']);
    const verified = { claims: { email, email_verified: true } };
    expect((await signIn(verified, 'noor')).status).toBe(201);
    // After the first sign-in, the email address no longer identifies the person.
    expect(summarize(await signIn(verified, 'somebody else'))).toEqual([401, 'unknown-person']);
    expect((await signIn({}, 'noor')).status).toBe(201);
  });

  it.each([
    [201, { xms_edov: '1' }],
    [201, { email_verified: 'true' }],
    [401, { xms_edov: '0' }],
    [401, { xms_edov: 'yes' }],
    [401, { email_verified: false, xms_edov: true }],
  ] as const)(
    'answers %s where a provider vouches for an address by %j',
    async (status, vouching) => {
      const email = `${randomUUID()}@clinic.example`;
      await service.access.staff.add({ ...team, name: 'Noor', email });
      const answer = await signIn({ claims: { email, ...vouching } }, randomUUID());
      expect(answer.status).toBe(status);
    },
  );

  it('of an unknown person is recorded with the subject and the missing claim', async () => {
    const email = 'nobody@clinic.example';
    const refused = [
      ['without-address', {}, { missing_claim: 'email' }],
      ['not-verified', { email }, { missing_claim: 'email_verified' }],
      ['not-known', { email, email_verified: true }, {}],
    ] as const;
    for (const [who, claims] of refused) {
      expect(summarize(await signIn({ claims }, who))).toEqual([401, 'unknown-person']);
    }
    const records = bodiesIn(service.folder).filter(
      ({ operation, details }) =>
        operation === 'sessionRefused' && refused.some(([who]) => who === details['subject']),
    );
    expect(records).toEqual(
      refused.map(([subject, , missing]) =>
        expect.objectContaining({
          ...{ team_id: sampleTeamId, decision: 'denied', reason_code: 'unknown_person' },
          ...{ device_id: at.deskId, actor_type: 'anonymous' },
          details: { issuer: provider.issuer, subject, ...missing },
        }),
      ),
    );
  });
});

describe('a provider', () => {
  /** Starts a service with this provider, and signs in. */
  async function signInBy(
    other: ForgingProvider,
    ends: { readonly setting: string; readonly itself: string; readonly added: string },
    header: TokenChanges['header'] = {},
  ): Promise<Answer> {
    const { issuer, clientId } = other;
    other.nameOfItself = issuer + ends.itself;
    const { oidcIssuer, oidcClientId } = readConfig({
      ...{ CAREGATE_DATA: '.', CAREGATE_OIDC_ISSUER: issuer + ends.setting },
      CAREGATE_OIDC_CLIENT_ID: clientId,
    });
    const set = await testService([], { config: { oidcIssuer, oidcClientId } });
    try {
      const desk = await enrolledDesk(set, sampleTeamId);
      await set.access.staff.add({ ...team, name: 'Ines', issuer: issuer + ends.added, subject });
      const { nonce, random } = desk.desk.nonce();
      const claims = { iss: other.nameOfItself };
      const token = await other.token(subject, nonce, { claims, header });
      return await presentToken(set, desk, token, random);
    } finally {
      await set.close();
    }
  }
  const same = { setting: '', itself: '', added: '' };

  it.each([
    ['', '/', ''],
    ['/app/', '/app', '/app'],
  ])('set to %j may call itself %j, of people added with %j', async (setting, itself, added) => {
    const other = await ForgingProvider.start();
    const answer = await signInBy(other, { setting, itself, added });
    await other.stop();
    expect([answer.status, answer.json()]).toMatchObject([201, { staff: { name: 'Ines' } }]);
  });

  it('that has another name is refused, and its name shown', async () => {
    const other = await ForgingProvider.start();
    const answer = await signInBy(other, { ...same, setting: '/app', itself: '/other' });
    await other.stop();
    expect([answer.status, answer.json()]).toMatchObject([
      503,
      { reason: 'provider-unreachable', detail: expect.stringContaining('/other"') as unknown },
    ]);
  });

  it.each([{}, { kid: undefined }])('may have one key without `kid`: %j', async (header) => {
    const other = await ForgingProvider.start();
    const { kid: _, ...withoutId } = other.publicJwk;
    other.publicJwk = withoutId;
    const { status } = await signInBy(other, same, header);
    await other.stop();
    expect(status).toBe(201);
  });
});
