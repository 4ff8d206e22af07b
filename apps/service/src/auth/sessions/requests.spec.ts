import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type Answer, startSpecService } from '../../testing/service.testing.ts';
import { TestDesk } from './desk.testing.ts';
import { enrolledDesk, fromDesk, signedIn, type PersonRequest } from './signed-in.testing.ts';
import { formatSecret, createSecret } from '../key-format.ts';
import { bodiesIn } from '../../audit/records.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 3 })];
const insurance = envelopes.find((envelope) => envelope.kind === 'insurance')!;
const insuranceUrl = `/v2/user/${insurance.user_id}/insurance/latest`;
const clinician = { teamId: sampleTeamId, role: 'clinician' } as const;
const current = '/access/sessions/current';
const unknownSession = formatSecret(createSecret('sess'));
const pin = '290517';
const invalidProof = [401, 'invalid-proof'];

const service = await startSpecService(envelopes);
const at = await enrolledDesk(service, sampleTeamId);

/** Returns the status, and the type of a problem response. */
const typeOf = ({ status, body }: Answer): unknown[] => [
  status,
  ...(status < 400 ? [] : [(JSON.parse(body) as { readonly type: string }).type.split('/').at(-1)]),
];
const urlOf = (path: string): string => `http://127.0.0.1:${service.port}${path}`;

describe('a request by a person', () => {
  it('gets the same answer as a key, and is recorded with person, session and desk', async () => {
    const person = await signedIn(service, clinician);
    const answer = await person.request('GET', insuranceUrl);
    const byKey = await service.get(insuranceUrl, await service.key(sampleTeamId));
    expect([answer.status, answer.body]).toEqual([200, byKey.body]);
    const records = bodiesIn(service.folder);
    const ofPerson = {
      ...{ actor_type: 'staff', actor_id: person.staffId, session_id: person.sessionId },
      ...{ device_id: person.deskId, role: 'clinician', key_id: null },
    };
    expect(records.filter(({ actor_id: id }) => id === person.staffId)).toMatchObject([
      { ...ofPerson, operation: 'sessionBegun' },
      { ...ofPerson, operation: 'latestInsurance', patients: [insurance.user_id] },
    ]);
    // Neither the audit log nor the request log contains a name or a secret.
    const text = JSON.stringify(records) + service.log.join();
    for (const secret of ['Ines Example', person.token, person.token.slice(21)]) {
      expect(text).not.toContain(secret);
    }
    expect(service.log.join()).toContain(person.staffId);
  });

  it('is refused with a proof that was used before', async () => {
    const person = await signedIn(service, clinician, at);
    const dpop = person.desk.proof('GET', urlOf(insuranceUrl), { token: person.token });
    const headers = { authorization: `DPoP ${person.token}`, dpop };
    expect((await service.request('GET', insuranceUrl, headers)).status).toBe(200);
    const again = await service.request('GET', insuranceUrl, headers);
    expect(typeOf(again)).toEqual(invalidProof);
    expect(again.body).toContain('used before');
    expect(again.headers['www-authenticate']).toBe(
      'DPoP algs="EdDSA ES256", error="invalid_dpop_proof"',
    );
  });

  it.each<readonly [number, string, string, (token: string) => PersonRequest]>([
    [401, 'session-ended', 'an unknown session', () => ({ token: unknownSession })],
    [401, 'session-ended', 'no session in its form', () => ({ token: 'cg_sess_x' })],
    [401, 'session-ended', 'a token of the provider', () => ({ token: 'eyJhbGciOiJ9.e30.AA' })],
    [
      401,
      'session-ended',
      'a changed token',
      (token) => ({ token: `${token.slice(0, -7)}00000A` }),
    ],
    [401, 'invalid-proof', 'no proof', () => ({ headers: { dpop: '' } })],
    [401, 'invalid-proof', 'a proof of a made-up desk', () => ({ by: new TestDesk() })],
    [
      401,
      'invalid-proof',
      'the key of its desk only named',
      () => ({ header: { jwk: at.desk.jwk }, by: new TestDesk() }),
    ],
    [
      400,
      'malformed-request',
      'a key beside it',
      () => ({ headers: { 'x-service-api-key': 'x' } }),
    ],
  ])('is refused with %s %s for %s', async (status, type, _name, changes) => {
    const person = await signedIn(service, clinician, at);
    const answer = await person.request('GET', insuranceUrl, changes(person.token));
    expect(typeOf(answer)).toEqual([status, type]);
    expect(answer.body).not.toContain('member_id');
    expect((await person.request('GET', insuranceUrl)).status).toBe(200);
  });

  it('is refused with a stolen session, also with captured proofs or as another credential', async () => {
    const { token, desk, request } = await signedIn(service, clinician, at);
    const seen = desk.proof('GET', urlOf('/v2/user'), { token });
    const [header, payload] = new TestDesk().proof('GET', urlOf('/v2/user'), { token }).split('.');
    const [seenHeader, , seenSignature] = seen.split('.');
    for (const dpop of [
      [seenHeader, payload, seenSignature].join('.'),
      [header, payload, seenSignature].join('.'),
    ]) {
      const headers = { authorization: `DPoP ${token}`, dpop };
      expect(typeOf(await service.request('GET', '/v2/user', headers))).toEqual(invalidProof);
    }
    for (const authorization of [`Bearer ${token}`, token, `Basic ${btoa(`x:${token}`)}`]) {
      const { status } = await service.request('GET', '/v2/user', { authorization, dpop: seen });
      expect([authorization, status]).toEqual([authorization, 401]);
    }
    expect(typeOf(await service.get('/v2/user', token))).toEqual([401, 'unauthorized']);
    // Another enrolled desk is refused like an unknown one.
    const other = await enrolledDesk(service, sampleTeamId);
    expect(typeOf(await request('GET', '/v2/user', { by: other.desk }))).toEqual(invalidProof);
  });

  it('is refused once the person is disabled or the desk revoked, which other desks are not told', async () => {
    const [one, two] = [await signedIn(service, clinician), await signedIn(service, clinician)];
    await service.access.staff.disable(one.staffId);
    await service.access.desks.revoke(two.deskId);
    for (const [person, type] of [
      [one, 'session-ended'],
      [two, 'desk-revoked'],
    ] as const) {
      expect(typeOf(await person.request('GET', insuranceUrl))).toEqual([401, type]);
      const unlock = await person.request('POST', `${current}/unlock`, { body: { pin } });
      expect(typeOf(unlock)).toEqual([401, type]);
    }
    const elsewhere = await two.request('GET', insuranceUrl, { by: at.desk });
    expect(typeOf(elsewhere)).toEqual(invalidProof);
  });

  it('counts for the rate limit of its session', async () => {
    const limited = await testService(envelopes, { config: { rateLimitPerKey: 1 } });
    try {
      const desk = await enrolledDesk(limited, sampleTeamId);
      const one = await signedIn(limited, clinician, desk);
      const two = await signedIn(limited, { ...clinician, name: 'Noor' }, desk);
      for (const [person, status] of [
        [one, 200],
        [one, 429],
        [two, 200],
      ] as const) {
        expect((await person.request('GET', '/access/me')).status).toBe(status);
      }
    } finally {
      await limited.close();
    }
  });
});

describe('a desk', () => {
  it('locks, unlocks and ends its session', async () => {
    const person = await signedIn(service, clinician);
    const ask = async (method: string, path: string, body?: object): Promise<unknown[]> =>
      typeOf(await person.request(method, path, body === undefined ? {} : { body }));
    expect(await ask('POST', `${current}/unlock`, { pin })).toEqual([409, 'no-pin']);
    for (const weak of ['111111', '123456', '987654', '890123', '121212', '123123']) {
      const refused = [weak, 422, 'invalid-parameter'];
      expect([weak, ...(await ask('PUT', `${current}/pin`, { pin: weak }))]).toEqual(refused);
    }
    expect(await ask('PUT', `${current}/pin`, { pin })).toEqual([204]);
    expect(await ask('POST', `${current}/lock`)).toEqual([204]);
    expect(await ask('POST', `${current}/lock`)).toEqual([204]);
    for (const [method, path] of [
      ['GET', insuranceUrl],
      ['GET', '/access/me'],
      ['POST', `${current}/renew`],
      ['PUT', `${current}/pin`],
    ] as const) {
      expect([path, ...(await ask(method, path))]).toEqual([path, 401, 'session-locked']);
    }
    const wrong = await person.request('POST', `${current}/unlock`, { body: { pin: '290518' } });
    expect([wrong.status, wrong.json()]).toMatchObject([403, { tries_left: 4 }]);
    const right = await person.request('POST', `${current}/unlock`, { body: { pin } });
    expect([right.status, right.json()]).toMatchObject([
      200,
      { session_id: person.sessionId, pin_set: true, staff: { name: 'Ines Example' } },
    ]);
    expect(right.body).not.toContain('cg_sess_');
    expect(await ask('GET', insuranceUrl)).toEqual([200]);
    expect(await ask('DELETE', current)).toEqual([204]);
    expect(await ask('GET', insuranceUrl)).toEqual([401, 'session-ended']);
    const acts = bodiesIn(service.folder).filter(
      ({ session_id, http_status }) => session_id === person.sessionId && http_status === null,
    );
    expect(acts.map(({ operation }) => operation)).toEqual([
      ...['sessionBegun', 'pinSet', 'sessionLocked', 'pinWrong', 'sessionUnlocked', 'sessionEnded'],
    ]);
    expect(JSON.stringify(acts)).not.toMatch(/29051[78]/u);
  });

  it('reads whose badge it is', async () => {
    const person = await signedIn(service, clinician, at);
    await service.access.staff.setBadge(person.staffId, '0012345678');
    const read = async (badge: string, by = at.desk): Promise<Answer> =>
      await fromDesk(service, by, '/access/badges', { body: { desk_id: at.deskId, badge } });
    const holder = { staff_id: person.staffId, name: 'Ines Example' };
    expect((await read('0012345678')).json()).toEqual(holder);
    expect(typeOf(await read('0099999999'))).toEqual([404, 'not-found']);
    expect(typeOf(await read('0012345678', new TestDesk()))).toEqual(invalidProof);
  });

  it('is enrolled by a valid code only', async () => {
    const desk = new TestDesk();
    const ask = async (body: object, by = desk): Promise<Answer> =>
      await fromDesk(service, by, '/access/desks', { body });
    const { code } = await service.access.desks.makeCode({ teamId: sampleTeamId, name: 'Desk 3' });
    expect(typeOf(await ask({ code: '0000-000000' }))).toEqual([403, 'enrolment-refused']);
    const unsigned = await service.request('POST', '/access/desks', {}, { code });
    expect(typeOf(unsigned)).toEqual(invalidProof);
    expect((await ask({ code, name: 'Reception' })).json()).toMatchObject({
      ...{ name: 'Reception', team_id: sampleTeamId, clinic_name: null },
    });
    expect(typeOf(await ask({ code }, new TestDesk()))).toEqual([403, 'enrolment-refused']);
  });

  it('changes its key at the first request with the next one, and stays signed in', async () => {
    const own = await enrolledDesk(service, sampleTeamId);
    const { desk, deskId } = own;
    const person = await signedIn(service, clinician, own);
    const [next, other] = [new TestDesk(), at];
    const path = '/access/desks/key';
    const proofOf = (key: TestDesk, of = deskId): string =>
      key.proof('POST', urlOf(path), { token: of });
    const offer = async (by: TestDesk, proof: string, of = deskId, ath = proof): Promise<Answer> =>
      await fromDesk(service, by, path, { token: ath, body: { desk_id: of, proof } });
    const state = async (): Promise<unknown> => [
      await service.access.desks.find(deskId),
      bodiesIn(service.folder).filter(({ operation }) => operation.startsWith('deskKey')),
    ];
    const before = await state();
    const elsewhere = next.proof('POST', urlOf(`${path}s`), { token: deskId });
    for (const [refused, status, type] of [
      [offer(other.desk, proofOf(next)), 401, 'invalid-proof'],
      [offer(next, proofOf(next)), 401, 'invalid-proof'],
      // The proof of the next key is for another desk or request, or differs from what the desk signed.
      [offer(desk, proofOf(next, other.deskId)), 401, 'invalid-proof'],
      [offer(desk, elsewhere), 401, 'invalid-proof'],
      [offer(desk, proofOf(next), deskId, proofOf(next)), 401, 'invalid-proof'],
      [offer(desk, 'no proof'), 401, 'invalid-proof'],
      [offer(desk, proofOf(other.desk)), 409, 'conflict'],
      [offer(other.desk, proofOf(next), person.staffId), 401, 'sign-in-refused'],
    ] as const) {
      expect(typeOf(await refused)).toEqual([status, type]);
    }
    expect(await state()).toEqual(before);

    const proof = proofOf(next);
    const dpop = desk.proof('POST', urlOf(path), { token: proof });
    const send = (): Promise<Answer> =>
      service.request('POST', path, { dpop }, { desk_id: deskId, proof });
    expect((await send()).status).toBe(204);
    expect(typeOf(await send())).toEqual(invalidProof);
    const read = async (by: TestDesk): Promise<number> =>
      (await person.request('GET', insuranceUrl, { by })).status;
    expect(await read(desk)).toBe(200);
    expect(await Promise.all([read(next), read(desk), read(next)])).toEqual([200, 200, 200]);
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
    expect((await service.get('/access/sign-in')).json()).toEqual(info);
    const oidcIssuer = 'https://id.north.example';
    const config = { clinicName: 'North Clinic', oidcIssuer, oidcClientId: 'desks' };
    const north = await testService([], { config });
    const answer = await north.get('/access/sign-in');
    await north.close();
    expect(answer.json()).toMatchObject({
      ...{ ...info, clinic_name: 'North Clinic' },
      provider: { issuer: oidcIssuer, client_id: 'desks', name: 'id.north.example' },
    });
  });
});
