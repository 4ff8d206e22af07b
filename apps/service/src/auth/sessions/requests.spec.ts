import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';
import { TestDesk } from './desk.testing.ts';
import {
  enrolledDesk,
  fromDesk,
  signedIn,
  type EnrolledTestDesk,
  type PersonRequest,
} from './signed-in.testing.ts';
import { formatSecret, newSecret } from '../key-format.ts';
import { bodiesIn } from '../../audit/records.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 3 })];
const insurance = envelopes.find((envelope) => envelope.kind === 'insurance')!;
const insuranceUrl = `/v2/user/${insurance.user_id}/insurance/latest`;
const clinician = { teamId: sampleTeamId, role: 'clinician' } as const;
let service: TestService;

beforeAll(async () => {
  service = await testService(envelopes);
});
afterAll(async () => {
  await service.close();
});

const typeOf = ({ status, body }: Answer): unknown => [
  status,
  status < 400 ? undefined : (JSON.parse(body) as { readonly type: string }).type.split('/').at(-1),
];

describe('a request by a person', () => {
  it('gets the same answer as a key, and is recorded with person, session and desk', async () => {
    const person = await signedIn(service, clinician);
    const answer = await person.request('GET', insuranceUrl);
    const byKey = await service.get(insuranceUrl, await service.key(sampleTeamId));
    expect([answer.status, answer.body]).toEqual([200, byKey.body]);
    const records = bodiesIn(service.folder);
    const ofPerson = { actor_id: person.staffId, session_id: person.sessionId, key_id: null };
    expect(records).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'latestInsurance', actor_type: 'staff', role: 'clinician' },
        ...{ ...ofPerson, device_id: person.deskId, patients: [insurance.user_id] },
      }),
    );
    expect(records).toContainEqual(
      expect.objectContaining({ operation: 'sessionBegun', actor_type: 'staff', ...ofPerson }),
    );
    // No name and no secret in the log, neither of records nor of requests.
    const text = JSON.stringify(records) + service.log.join();
    for (const secret of ['Ines Example', person.token, person.token.slice(21)]) {
      expect(text).not.toContain(secret);
    }
    expect(service.log.join()).toContain(person.staffId);
  });

  it('is refused with a proof that was used before', async () => {
    const person = await signedIn(service, clinician);
    const url = `http://127.0.0.1:${service.port}${insuranceUrl}`;
    const dpop = person.desk.proof('GET', url, { token: person.token });
    const headers = { authorization: `DPoP ${person.token}`, dpop };
    const answers = [
      await service.request('GET', insuranceUrl, headers),
      await service.request('GET', insuranceUrl, headers),
    ];
    expect(answers.map(typeOf)).toEqual([
      [200, undefined],
      [401, 'invalid-proof'],
    ]);
    expect(answers[1]?.body).toContain('used before');
    expect(answers[1]?.headers['www-authenticate']).toBe(
      'DPoP algs="EdDSA ES256", error="invalid_dpop_proof"',
    );
  });

  it('accepts another name of the loopback address, and P-256 keys', async () => {
    const at = await enrolledDesk(service, sampleTeamId, new TestDesk({ algorithm: 'ES256' }));
    const person = await signedIn(service, clinician, at);
    const htu = `http://localhost:${service.port}${insuranceUrl}`;
    expect((await person.request('GET', insuranceUrl, { claims: { htu } })).status).toBe(200);
  });

  let at: EnrolledTestDesk | undefined;
  it.each<readonly [string, string, (token: string) => PersonRequest]>([
    ['session-ended', 'an unknown session', () => ({ token: sessionLike() })],
    ['session-ended', 'no session in its form', () => ({ token: 'cg_sess_x' })],
    ['session-ended', 'a token of the provider', () => ({ token: 'eyJhbGciOiJSUzI1NiJ9.e30.AA' })],
    ['session-ended', 'a changed token', (token) => ({ token: `${token.slice(0, -7)}000000A` })],
    ['invalid-proof', 'a proof of another desk', () => ({ by: new TestDesk() })],
    ['invalid-proof', 'no proof', () => ({ headers: { dpop: '' } })],
    ['malformed-request', 'a key beside it', () => ({ headers: { 'x-service-api-key': 'x' } })],
  ])('is refused as %s with %s', async (type, _name, changes) => {
    at ??= await enrolledDesk(service, sampleTeamId);
    const person = await signedIn(service, clinician, at);
    const answer = await person.request('GET', insuranceUrl, changes(person.token));
    expect(typeOf(answer)).toEqual([type === 'malformed-request' ? 400 : 401, type]);
    expect(answer.body).not.toContain('member_id');
    expect((await person.request('GET', insuranceUrl)).status).toBe(200);
  });

  it('with a stolen session is refused, also with captured proofs', async () => {
    const person = await signedIn(service, clinician);
    const thief = new TestDesk();
    const url = `http://127.0.0.1:${service.port}/v2/user`;
    const token = person.token;
    const seen = person.desk.proof('GET', url, { token });
    const own = thief.proof('GET', url, { token });
    const [header, payload] = own.split('.');
    const spliced = [
      thief.proof('GET', url, { token, header: { jwk: person.desk.jwk } }),
      [seen.split('.')[0], payload, seen.split('.')[2]].join('.'),
      [header, payload, seen.split('.')[2]].join('.'),
    ];
    for (const dpop of [own, ...spliced]) {
      const headers = { authorization: `DPoP ${token}`, dpop };
      expect(typeOf(await service.request('GET', '/v2/user', headers))).toEqual([
        401,
        'invalid-proof',
      ]);
    }
    for (const authorization of [`Bearer ${token}`, token, `Basic ${btoa(`x:${token}`)}`]) {
      const { status } = await service.request('GET', '/v2/user', { authorization, dpop: seen });
      expect([authorization.split(' ')[0], status]).toEqual([authorization.split(' ')[0], 401]);
    }
    const asKey = await service.request('GET', '/v2/user', { 'x-service-api-key': token });
    expect(typeOf(asKey)).toEqual([401, 'unauthorized']);
    // Another enrolled desk is no better than an unknown one.
    const other = await enrolledDesk(service, sampleTeamId);
    expect(typeOf(await person.request('GET', '/v2/user', { by: other.desk }))).toEqual([
      ...[401, 'invalid-proof'],
    ]);
  });

  it('is refused once the person is disabled or the desk revoked', async () => {
    const [one, two] = [await signedIn(service, clinician), await signedIn(service, clinician)];
    for (const { person, end, type } of [
      { person: one, end: () => service.access.staff.disable(one.staffId), type: 'session-ended' },
      { person: two, end: () => service.access.desks.revoke(two.deskId), type: 'desk-revoked' },
    ]) {
      expect((await person.request('GET', insuranceUrl)).status).toBe(200);
      await end();
      expect(typeOf(await person.request('GET', insuranceUrl))).toEqual([401, type]);
      const unlock = { body: { pin: '290517' } };
      const path = '/access/sessions/current/unlock';
      expect(typeOf(await person.request('POST', path, unlock))).toEqual([401, type]);
    }
    // Other desks are not told that this one was revoked.
    const other = await enrolledDesk(service, sampleTeamId);
    expect(typeOf(await two.request('GET', insuranceUrl, { by: other.desk }))).toEqual([
      ...[401, 'invalid-proof'],
    ]);
  });

  it('counts for the rate limit of its session', async () => {
    const limited = await testService(envelopes, { config: { rateLimitPerKey: 1 } });
    try {
      const at = await enrolledDesk(limited, sampleTeamId);
      const [one, two] = [
        await signedIn(limited, clinician, at),
        await signedIn(limited, { ...clinician, name: 'Noor' }, at),
      ];
      expect((await one.request('GET', '/access/me')).status).toBe(200);
      expect((await one.request('GET', '/access/me')).status).toBe(429);
      expect((await two.request('GET', '/access/me')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('a desk', () => {
  it('locks, unlocks and ends its session', async () => {
    const person = await signedIn(service, clinician);
    const at = '/access/sessions/current';
    const ask = async (method: string, path: string, body?: object): Promise<unknown> =>
      typeOf(await person.request(method, path, body === undefined ? {} : { body }));
    expect(await ask('POST', `${at}/unlock`, { pin: '290517' })).toEqual([409, 'no-pin']);
    for (const pin of ['111111', '123456', '987654', '890123', '121212', '123123']) {
      expect([pin, await ask('PUT', `${at}/pin`, { pin })]).toEqual([
        pin,
        [422, 'invalid-parameter'],
      ]);
    }
    expect(await ask('PUT', `${at}/pin`, { pin: '290517' })).toEqual([204, undefined]);
    expect(await ask('POST', `${at}/lock`)).toEqual([204, undefined]);
    expect(await ask('POST', `${at}/lock`)).toEqual([204, undefined]);
    for (const [method, path] of [
      ['GET', insuranceUrl],
      ['GET', '/access/me'],
      ['POST', `${at}/renew`],
      ['PUT', `${at}/pin`],
    ] as const) {
      expect([path, await ask(method, path)]).toEqual([path, [401, 'session-locked']]);
    }
    const wrong = await person.request('POST', `${at}/unlock`, { body: { pin: '290518' } });
    expect([wrong.status, wrong.json()]).toMatchObject([403, { tries_left: 4 }]);
    const right = await person.request('POST', `${at}/unlock`, { body: { pin: '290517' } });
    expect([right.status, right.json()]).toMatchObject([
      200,
      { session_id: person.sessionId, pin_set: true, staff: { name: 'Ines Example' } },
    ]);
    expect(right.body).not.toContain('cg_sess_');
    expect(await ask('GET', insuranceUrl)).toEqual([200, undefined]);
    expect(await ask('DELETE', at)).toEqual([204, undefined]);
    expect(await ask('GET', insuranceUrl)).toEqual([401, 'session-ended']);
    const acts = bodiesIn(service.folder).filter(
      ({ session_id, http_status }) => session_id === person.sessionId && http_status === null,
    );
    expect(acts.map(({ operation }) => operation)).toEqual([
      ...['sessionBegun', 'pinSet', 'sessionLocked', 'pinWrong', 'sessionUnlocked', 'sessionEnded'],
    ]);
    expect(JSON.stringify(acts)).not.toMatch(/29051[78]/u);
  });

  it('gets session-locked if the lock comes during a renewal', async () => {
    const person = await signedIn(service, clinician);
    const { sessions } = service.access;
    const renew = sessions.renew.bind(sessions);
    sessions.renew = async (session) => {
      await sessions.lock(session);
      return await renew(session);
    };
    const path = '/access/sessions/current/renew';
    const answer = await person.request('POST', path);
    sessions.renew = renew;
    expect(typeOf(answer)).toEqual([401, 'session-locked']);
    expect(typeOf(await person.request('POST', path))).toEqual([401, 'session-locked']);
  });

  it('gets 404 for a badge whose person has no session there, or is disabled', async () => {
    const person = await signedIn(service, clinician);
    await service.access.staff.setBadge(person.staffId, '0012345678');
    const read = async (by = person.desk, badge = '0012345678'): Promise<Answer> =>
      await fromDesk(service, by, '/access/badges', { body: { desk_id: person.deskId, badge } });
    expect((await read()).json()).toEqual({ staff_id: person.staffId, name: 'Ines Example' });
    expect(typeOf(await read(person.desk, '0099999999'))).toEqual([404, 'not-found']);
    expect(typeOf(await read(new TestDesk()))).toEqual([401, 'invalid-proof']);
    await service.access.staff.disable(person.staffId);
    expect(typeOf(await read())).toEqual([404, 'not-found']);
  });

  it('is enrolled by a valid code only', async () => {
    const desk = new TestDesk();
    const ask = async (body: object, by = desk): Promise<Answer> =>
      await fromDesk(service, by, '/access/desks', { body });
    const { code } = await service.access.desks.makeCode({ teamId: sampleTeamId, name: 'Desk 3' });
    expect(typeOf(await ask({ code: '0000-000000' }))).toEqual([403, 'enrolment-refused']);
    const without = await service.request('POST', '/access/desks', {}, { code });
    expect(typeOf(without)).toEqual([401, 'invalid-proof']);
    expect((await ask({ code, name: 'Reception' })).json()).toMatchObject({
      ...{ name: 'Reception', team_id: sampleTeamId, clinic_name: null },
    });
    expect(typeOf(await ask({ code }, new TestDesk()))).toEqual([403, 'enrolment-refused']);
  });

  it('changes its key at the first request with the next one, and stays signed in', async () => {
    const at = await enrolledDesk(service, sampleTeamId);
    const { desk, deskId } = at;
    const person = await signedIn(service, clinician, at);
    const [next, other] = [new TestDesk(), await enrolledDesk(service, sampleTeamId)];
    const path = '/access/desks/key';
    const url = `http://127.0.0.1:${service.port}${path}`;
    const proofOf = (key: TestDesk, of = deskId): string => key.proof('POST', url, { token: of });
    const offer = async (by: TestDesk, proof: string, of = deskId, ath = proof): Promise<Answer> =>
      await fromDesk(service, by, path, { token: ath, body: { desk_id: of, proof } });
    const state = async (): Promise<unknown> => [
      await service.access.desks.find(deskId),
      bodiesIn(service.folder).filter(({ operation }) => operation.startsWith('deskKey')),
    ];
    const before = await state();
    const captured = { dpop: desk.proof('POST', url, { token: proofOf(next) }) };
    for (const [refused, status, type] of [
      [offer(other.desk, proofOf(next)), 401, 'invalid-proof'],
      [offer(next, proofOf(next)), 401, 'invalid-proof'],
      // The proof of the next key is of another desk, another request, or not what the desk has signed.
      [offer(desk, proofOf(next, other.deskId)), 401, 'invalid-proof'],
      [offer(desk, next.proof('POST', `${url}s`, { token: deskId })), 401, 'invalid-proof'],
      [offer(desk, proofOf(next), deskId, proofOf(next)), 401, 'invalid-proof'],
      [offer(desk, 'no proof'), 401, 'invalid-proof'],
      [offer(desk, proofOf(other.desk)), 409, 'conflict'],
      [offer(desk, proofOf(desk)), 409, 'conflict'],
      [offer(other.desk, proofOf(next), person.staffId), 401, 'sign-in-refused'],
      [service.request('POST', path, captured, { desk_id: deskId }), 422, 'invalid-parameter'],
    ] as const) {
      expect(typeOf(await refused)).toEqual([status, type]);
    }
    expect(await state()).toEqual(before);

    const proof = proofOf(next);
    const dpop = desk.proof('POST', url, { token: proof });
    const send = (): Promise<Answer> =>
      service.request('POST', path, { dpop }, { desk_id: deskId, proof });
    expect((await send()).status).toBe(204);
    expect(typeOf(await send())).toEqual([401, 'invalid-proof']);
    const read = async (by: TestDesk): Promise<number> =>
      (await person.request('GET', insuranceUrl, { by })).status;
    expect(await read(desk)).toBe(200);
    expect(await Promise.all([read(next), read(desk), read(next)])).toEqual([200, 200, 200]);
    expect(await read(desk)).toBe(200);
    const device = { device_id: deskId, actor_type: 'anonymous' };
    const details = { thumbprint: next.thumbprint };
    expect(await state()).toMatchObject([
      { thumbprint: next.thumbprint, second_thumbprint: desk.thumbprint },
      [
        { ...device, operation: 'deskKeyOffered', details },
        { ...device, operation: 'deskKeyTurned', details },
      ],
    ]);
    await service.access.desks.revoke(deskId);
    expect(typeOf(await offer(next, proofOf(new TestDesk())))).toEqual([401, 'sign-in-refused']);
  });

  it('reads how to sign in, and the names of clinic and provider', async () => {
    const info = {
      ...{ clinic_name: null, provider: null },
      ...{ pin: { min: 6, max: 12 }, lock_minutes: 5, session_hours: 12 },
      ...{ desk_interface: 1, oldest_desk_interface: 1 },
    };
    const plain = await testService([]);
    expect((await plain.get('/access/sign-in')).json()).toEqual(info);
    await plain.close();
    const issuer = 'https://id.north.example';
    const config = {
      ...{ clinicName: 'North Clinic' },
      ...{ oidcIssuer: issuer, oidcClientId: 'desks' },
    };
    const north = await testService([], { config });
    const answer = await north.get('/access/sign-in');
    await north.close();
    expect(answer.json()).toMatchObject({
      ...{ ...info, clinic_name: 'North Clinic' },
      provider: { issuer, name: 'id.north.example' },
    });
  });
});

function sessionLike(): string {
  return formatSecret(newSecret('sess'));
}
