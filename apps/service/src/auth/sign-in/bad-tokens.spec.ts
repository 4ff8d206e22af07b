import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Session } from '@caregate/domain';
import { sampleTeamId } from '@caregate/sample-data';
import { createHmac, randomUUID } from 'node:crypto';
import {
  enrolledDesk,
  fromDesk,
  sessionOf,
  type EnrolledTestDesk,
} from '../sessions/signed-in.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';
import { readConfig } from '../../config/read-config.ts';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';
import { ForgingProvider, type TokenChanges } from './forging-provider.testing.ts';

let provider: ForgingProvider;
let service: TestService;
let at: EnrolledTestDesk;
const subject = 'clinician';
const team = { teamId: sampleTeamId, role: 'clinician' } as const;

beforeAll(async () => {
  provider = await ForgingProvider.start();
  service = await testService([], {
    config: {
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
    },
  });
  at = await enrolledDesk(service, sampleTeamId);
  await service.access.staff.add({ ...team, name: 'Ines', issuer: provider.issuer, subject });
});
afterAll(async () => {
  await service.close();
  await provider.stop();
});

async function present(
  idToken: string,
  random: string,
  desk: EnrolledTestDesk = at,
): Promise<Answer> {
  return await fromDesk(service, desk.desk, '/access/sessions', {
    body: { desk_id: desk.deskId, id_token: idToken, nonce_random: random },
  });
}

async function signIn(changes: TokenChanges = {}, who = subject): Promise<Answer> {
  const { nonce, random } = at.desk.nonce();
  return await present(await provider.token(who, nonce, changes), random);
}

const told = ({ status, body }: Answer): unknown => {
  const { reason, detail = '' } = JSON.parse(body) as { reason?: string; detail?: string };
  // A sentence for a person, without anything that was sent.
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
    expect(told(await present(token, random))).toEqual([401, 'used']);
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
    // A clock that is wrong by a day, at the provider.
    ['expired', { issued: -86_400, expires: -86_100 }],
    ['not-yet-valid', { claims: { nbf: Math.floor(Date.now() / 1000) + 86_400 } }],
  ])('that is %s is refused with its reason: %j', async (reason, changes) => {
    expect(told(await signIn(changes))).toEqual([401, reason]);
  });

  it('may be a minute off', async () => {
    expect((await signIn({ expires: -30 })).status).toBe(201);
    const nbf = Math.floor(Date.now() / 1000) + 30;
    expect((await signIn({ claims: { nbf } })).status).toBe(201);
  });

  it('without a signature, signed with another key, or with the public key as a secret is refused', async () => {
    const { nonce, random } = at.desk.nonce();
    const payload = encoded(provider.claims(subject, nonce));
    const none = `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    expect(told(await present(none, random))).toEqual([401, 'wrong-algorithm']);
    const head = `${encoded({ alg: 'HS256', kid: provider.publicJwk['kid'] })}.${payload}`;
    for (const secret of [JSON.stringify(provider.publicJwk), String(provider.publicJwk['x'])]) {
      const mac = createHmac('sha256', secret).update(head).digest('base64url');
      expect(told(await present(`${head}.${mac}`, random))).toEqual([401, 'wrong-algorithm']);
    }
    const right = await provider.token(subject, nonce);
    const forged = [
      right.split('.')[0],
      payload,
      right.split('.')[2]?.replace(/^./u, (one) => (one === '-' ? 'A' : '-')),
    ].join('.');
    expect(told(await present(forged, random))).toEqual([401, 'bad-signature']);
    for (const nothing of ['', 'opaque', 'a.b.c', 'x'.repeat(40_000)]) {
      expect(told(await present(nothing, random))).toEqual([401, 'not-an-id-token']);
    }
  });

  it('of another desk, or with another random part, is refused', async () => {
    const other = await enrolledDesk(service, sampleTeamId);
    const { nonce, random } = other.desk.nonce();
    const token = await provider.token(subject, nonce);
    expect(told(await present(token, random))).toEqual([401, 'wrong-nonce']);
    expect(told(await present(token, randomUUID(), other))).toEqual([401, 'wrong-nonce']);
    expect((await present(token, random, other)).status).toBe(201);
  });

  it('is refused for an unknown or disabled person, and at an unknown or revoked desk', async () => {
    expect(told(await signIn({}, 'nobody'))).toEqual([401, 'unknown-person']);
    const gone = await service.access.staff.add({
      ...{ ...team, name: 'Gone', issuer: provider.issuer, subject: 'gone' },
    });
    await service.access.staff.disable(gone.staffId);
    expect(told(await signIn({}, 'gone'))).toEqual([401, 'disabled']);
    const revoked = await enrolledDesk(service, sampleTeamId);
    await service.access.desks.revoke(revoked.deskId);
    for (const [desk, deskId] of [
      [revoked.desk, revoked.deskId],
      [at.desk, randomUUID()],
    ] as const) {
      const { nonce, random } = desk.nonce();
      const token = await provider.token(subject, nonce);
      const answer = await present(token, random, { desk, deskId });
      expect(told(answer)).toEqual([401, 'unknown-desk']);
    }
    const elsewhere = await enrolledDesk(service, '7c9e6679-7425-40de-944b-e07fc1f90ae7');
    const { nonce, random } = elsewhere.desk.nonce();
    const token = await provider.token(subject, nonce);
    expect(told(await present(token, random, elsewhere))).toEqual([401, 'unknown-person']);
  });

  it('binds who was added by e-mail address at the first sign-in, if the provider has verified it', async () => {
    await service.access.staff.add({ ...team, name: 'Noor', email: 'Noor@clinic.example' });
    const email = 'noor@clinic.example';
    expect(told(await signIn({ claims: { email } }, 'noor'))).toEqual([401, 'unknown-person']);
    const verified = { claims: { email, email_verified: true } };
    expect((await signIn(verified, 'noor')).status).toBe(201);
    // Bound: the address no longer identifies anybody.
    expect(told(await signIn(verified, 'somebody else'))).toEqual([401, 'unknown-person']);
    expect((await signIn({}, 'noor')).status).toBe(201);
  });

  it.each<readonly [number, Record<string, unknown>]>([
    ...[true, 1, '1', 'true'].map((value) => [201, { xms_edov: value }] as const),
    ...[true, 'true'].map((value) => [201, { email_verified: value }] as const),
    ...[false, 0, '0', 'false', null, 'yes'].map((value) => [401, { xms_edov: value }] as const),
    ...[false, 'false', 0].map(
      (value) => [401, { email_verified: value, xms_edov: true }] as const,
    ),
  ])('answers %s where a provider vouches for an address by %j', async (status, vouching) => {
    const email = `${randomUUID()}@clinic.example`;
    await service.access.staff.add({ ...team, name: 'Noor', email });
    const answer = await signIn({ claims: { email, ...vouching } }, randomUUID());
    expect(answer.status).toBe(status);
  });

  it('of an unknown person is recorded with the subject and the missing claim', async () => {
    const email = 'nobody@clinic.example';
    const refused = [
      ['without-address', {}, { missing_claim: 'email' }],
      ['not-verified', { email }, { missing_claim: 'email_verified' }],
      ['not-known', { email, email_verified: true }, {}],
    ] as const;
    for (const [who, claims] of refused) {
      expect(told(await signIn({ claims }, who))).toEqual([401, 'unknown-person']);
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

  it('without its random part is malformed, as is a sign-in without a token', async () => {
    const { nonce, random } = at.desk.nonce();
    const token = await provider.token(subject, nonce);
    const body = { desk_id: at.deskId, id_token: token };
    const without = await fromDesk(service, at.desk, '/access/sessions', { body });
    expect([without.status, without.body]).toEqual([422, expect.stringContaining('nonce_random')]);
    const byKey = await fromDesk(service, at.desk, '/access/sessions', {
      headers: { 'x-service-api-key': await service.key(sampleTeamId) },
      body: { desk_id: at.deskId, nonce_random: random },
    });
    expect([byKey.status, byKey.body]).toEqual([422, expect.stringContaining('id_token')]);
  });
});

describe('an issuer that its provider writes with or without a slash at its end', () => {
  let other: ForgingProvider;
  beforeEach(async () => {
    other = await ForgingProvider.start();
  });
  afterEach(async () => {
    await other.stop();
  });

  async function answered(setting: string, nameOfItself: string, added: string): Promise<Answer> {
    other.nameOfItself = nameOfItself;
    const { oidcIssuer, oidcClientId } = readConfig({
      ...{ CAREGATE_DATA: '.', CAREGATE_OIDC_ISSUER: setting },
      CAREGATE_OIDC_CLIENT_ID: other.clientId,
    });
    const service = await testService([], { config: { oidcIssuer, oidcClientId } });
    try {
      const { desk, deskId } = await enrolledDesk(service, sampleTeamId);
      await service.access.staff.add({ ...team, name: 'Ines', issuer: added, subject });
      const { nonce, random } = desk.nonce();
      const token = await other.token(subject, nonce, { claims: { iss: nameOfItself } });
      return await fromDesk(service, desk, '/access/sessions', {
        body: { desk_id: deskId, id_token: token, nonce_random: random },
      });
    } finally {
      await service.close();
    }
  }

  it.each([
    ['', '/', ''],
    ['/app/', '/app', '/app'],
  ])('signs in: set to %j, named %j, people added with %j', async (setting, itself, added) => {
    const answer = await answered(
      ...([other.issuer + setting, other.issuer + itself, other.issuer + added] as const),
    );
    expect([answer.status, answer.json()]).toMatchObject([201, { staff: { name: 'Ines' } }]);
  });

  it('names the other issuer if the provider has another name', async () => {
    const answer = await answered(`${other.issuer}/app`, `${other.issuer}/other`, other.issuer);
    expect([answer.status, answer.json()]).toMatchObject([
      503,
      { reason: 'provider-unreachable', detail: expect.stringContaining('/other"') as unknown },
    ]);
  });
});

describe('a provider whose only key has no `kid`', () => {
  it('signs in with tokens that name one, and with tokens that do not', async () => {
    const other = await ForgingProvider.start();
    const { kid, ...withoutId } = other.publicJwk;
    expect(kid).toBeDefined();
    other.publicJwk = withoutId;
    const service = await testService([], {
      config: { oidcIssuer: other.issuer, oidcClientId: other.clientId },
    });
    try {
      const { desk, deskId } = await enrolledDesk(service, sampleTeamId);
      await service.access.staff.add({ ...team, name: 'Ines', issuer: other.issuer, subject });
      for (const header of [{}, { kid: undefined }]) {
        const { nonce, random } = desk.nonce();
        const token = await other.token(subject, nonce, { header });
        const answer = await fromDesk(service, desk, '/access/sessions', {
          body: { desk_id: deskId, id_token: token, nonce_random: random },
        });
        expect([header, answer.status]).toEqual([header, 201]);
      }
    } finally {
      await service.close();
      await other.stop();
    }
  });
});

describe('emergency access of a person', () => {
  const reason = {
    reason_code: 'emergency_treatment',
    text: 'Unconscious at the front desk',
    user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  } as const;

  it('asks the provider again, and ends with the session', async () => {
    const person = sessionOf(service, at, (await signIn()).json() as Session);
    const ask = async (changes: TokenChanges, who = subject): Promise<Answer> => {
      const { nonce, random } = at.desk.nonce();
      const id_token = await provider.token(who, nonce, changes);
      const body = { ...reason, id_token, nonce_random: random };
      return await person.request('POST', '/access/break-glass', { body });
    };
    const plain = await person.request('POST', '/access/break-glass', { body: reason });
    expect([plain.status, plain.body]).toEqual([422, expect.stringContaining('id_token')]);
    expect(told(await ask({ issued: -121 }))).toEqual([401, 'stale-sign-in']);
    expect(told(await ask({ claims: { auth_time: undefined } }))).toEqual([401, 'stale-sign-in']);
    expect(told(await ask({}, 'noor'))).toEqual([401, 'other-person']);
    const granted = await ask({});
    expect(granted.status).toBe(201);
    const { sessionId } = person;
    expect((await service.access.breakGlass.inForce({ sessionId })).size).toBe(1);
    // Another session of the same person has it not.
    const later = sessionOf(service, at, (await signIn()).json() as Session);
    const of = { sessionId: later.sessionId };
    expect((await service.access.breakGlass.inForce(of)).size).toBe(0);
  });
});
