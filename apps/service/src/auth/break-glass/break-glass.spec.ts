import { describe, expect, it, jest } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { Role } from '../../operations/operations.ts';
import { type Answer, startSpecService } from '../../testing/service.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';
import { minuteMs } from '../access.testing.ts';
import { signedIn, signInBody, type SignedInPerson } from '../sessions/signed-in.testing.ts';
import { ForgingProvider, type TokenChanges } from '../sign-in/forging-provider.testing.ts';

const envelopes = [
  ...sampleEnvelopes({ users: 6 }),
  ...sampleEnvelopes({ users: 3, teamId: otherTeamId }),
];
const orders = envelopes.filter((envelope) => envelope.kind === 'lab_result');
const users = envelopes.flatMap((envelope) => (envelope.kind === 'user' ? [envelope.user] : []));
const order = orders.find(({ team_id }) => team_id === sampleTeamId)!;
const otherOrder = orders.find(
  ({ team_id, user_id }) => team_id === sampleTeamId && user_id !== order.user_id,
)!;
const foreign = orders.find(({ team_id }) => team_id === otherTeamId)!;
const patient = users.find(({ user_id }) => user_id === order.user_id)!;
const text = 'Unconscious at the desk, canary-7f3a values needed';

let now = Date.now();
jest.spyOn(Date, 'now').mockImplementation(() => now);
const provider = await ForgingProvider.forSpec();
const { issuer: oidcIssuer, clientId: oidcClientId } = provider;
const narrow = 'billing.resolveUser=no,billing.latestInsurance=no,billing.userInfo=no';
const service = await startSpecService(envelopes, { config: { narrow, oidcIssuer, oidcClientId } });

async function post(path: string, key: string, body: object) {
  const answer = await service.post(`/access/break-glass${path}`, key, body);
  return { status: answer.status, body: answer.json() as Record<string, unknown> };
}

const ask = async (key: string, userId: string) =>
  await post('', key, { reason_code: 'emergency_treatment', text, user_id: userId });

const resultOf = ({ order_id }: { order_id: string }): string => `/v3/order/${order_id}/result`;

const byName = (name: string): string => `/v2/user/resolve/${encodeURIComponent(name)}`;
const minutesOf = (userId: string): string =>
  `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2026-01-01`;

/** Returns the path, the status, and the ID of the grant that permitted the read. */
async function read(path: string, key: string): Promise<unknown[]> {
  const { status, headers } = await service.get(path, key);
  return [path, status, headers['x-break-glass-id']];
}

describe('emergency access', () => {
  it('permits a key what its role or the narrowing denies, for one patient and 30 minutes', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const paths = [
      ...[resultOf(order), byName(patient.client_user_id), minutesOf(patient.user_id)],
      `/v2/user/${patient.user_id}/insurance/latest`,
      `/v2/user/${patient.user_id}/info/latest`,
      `/desk/orders/${order.order_id}/history`,
    ];
    for (const path of paths) expect(await read(path, key)).toEqual([path, 403, undefined]);
    const granted = await ask(key, patient.user_id);
    expect(granted.status).toBe(201);
    const { break_glass_id: id } = granted.body;
    for (const path of paths) expect(await read(path, key)).toEqual([path, 200, id]);
    const wrong = `${minutesOf(patient.user_id)}&unknown=1`;
    expect(await read(wrong, key)).toEqual([wrong, 422, id]);
    now += 30 * minuteMs;
    for (const path of paths) expect(await read(path, key)).toEqual([path, 403, undefined]);
  });

  it('permits no other patient, no other team, no other key and no list', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const colleague = await service.key(sampleTeamId, 'billing');
    for (const { user_id: id } of [patient, foreign]) expect((await ask(key, id)).status).toBe(201);
    expect(await read(resultOf(order), key)).toContain(200);
    expect(await read(resultOf(order), colleague)).toContain(403);
    for (const path of [
      ...[resultOf(otherOrder), resultOf(foreign), byName('nobody'), '/v3/orders'],
      ...[minutesOf(otherOrder.user_id), '/v3/order/x/result', '/access/break-glass'],
      `/v3/order/${patient.user_id}/result`,
    ]) {
      expect(await read(path, key)).toEqual([path, 403, undefined]);
    }
    // A grant for a patient whom the team doesn't have is accepted, and reads nothing.
    expect(await read(minutesOf(foreign.user_id), key)).toContain(404);
    // The search still leaves out what only lab reports say.
    const found = await service.post('/desk/people/search', key, { text: order.order_id });
    expect(found.json()).toMatchObject({ people: [] });
    const list = await service.get('/v2/user', key);
    expect(list.body).not.toContain('fallback_birth_date');
    expect(list.headers['x-break-glass-id']).toBeUndefined();
  });

  it('reads no patient for a key without a grant', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const reads = [
      jest.spyOn(service.source, 'findUserByClientId'),
      jest.spyOn(service.source, 'getLabResult'),
    ];
    for (const path of [resultOf(order), byName(patient.client_user_id)]) {
      expect(await read(path, key)).toContain(403);
    }
    for (const spy of reads) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe('the review queue', () => {
  it('lists the grants of the team to an auditor, and takes the review', async () => {
    const desk = await service.key(sampleTeamId, 'front_desk');
    const auditor = await service.key(sampleTeamId, 'auditor');
    const otherAuditor = await service.key(otherTeamId, 'auditor');
    const { body } = await ask(desk, otherOrder.user_id);
    const id = String(body['break_glass_id']);
    const granted = {
      ...{ break_glass_id: id, team_id: sampleTeamId, key_id: expect.any(String) },
      ...{ key_label: 'spec front_desk', role: 'front_desk', user_id: otherOrder.user_id },
      ...{ reason_code: 'emergency_treatment', text, granted_at: new Date(now).toISOString() },
      expires_at: new Date(now + 30 * minuteMs).toISOString(),
      review_due_at: new Date(now + 72 * 60 * minuteMs).toISOString(),
      ...{ overdue: false, reviewed_at: null, reviewed_by: null, outcome: null, note: null },
    };
    const list = async (key: string, query = ''): Promise<Record<string, unknown>[]> => {
      const answer = await service.get(`/access/break-glass${query}`, key);
      expect(answer.status).toBe(200);
      return (answer.json() as { grants: Record<string, unknown>[] }).grants;
    };
    expect(await list(auditor)).toContainEqual(granted);
    expect(await list(otherAuditor, '?state=all')).toEqual([]);
    const review = { outcome: 'not_justified', note: 'talked to' };
    for (const [key, sent, status] of [
      [otherAuditor, review, 404],
      [desk, review, 403],
      [auditor, { outcome: 'fine' }, 422],
      [auditor, { ...review, note: 7 }, 422],
    ] as const) {
      expect((await post(`/${id}/review`, key, sent)).status).toBe(status);
    }
    const reviewed = { ...granted, ...review, reviewed_by: expect.any(String) };
    const done = { ...reviewed, reviewed_at: new Date(now).toISOString() };
    expect(await post(`/${id}/review`, auditor, review)).toEqual({ status: 200, body: done });
    const other = { ...review, note: 'in other words' };
    expect((await post(`/${id}/review`, auditor, other)).status).toBe(409);
    const open = await list(auditor, '?state=open');
    expect(open.filter((grant) => grant['break_glass_id'] === id)).toEqual([]);
    expect(await list(auditor, '?state=all')).toContainEqual(expect.objectContaining(review));
    // Only a grant of the team is a valid cursor.
    const behind = `?state=all&cursor=${id}`;
    expect((await list(auditor, behind)).map((grant) => grant['break_glass_id'])).not.toContain(id);
    for (const [key, query] of [
      [otherAuditor, behind],
      [auditor, '?state=x'],
      [auditor, '?stat=all'],
    ] as const) {
      expect((await service.get(`/access/break-glass${query}`, key)).status).toBe(422);
    }
  });

  it('ends a grant that was not justified at once, and leaves one that was', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const auditor = await service.key(sampleTeamId, 'auditor');
    for (const [of, outcome, status] of [
      [order, 'not_justified', 403],
      [otherOrder, 'justified', 200],
    ] as const) {
      const { body } = await ask(key, of.user_id);
      expect(await read(resultOf(of), key)).toContain(200);
      await post(`/${String(body['break_glass_id'])}/review`, auditor, { outcome });
      expect(await read(resultOf(of), key)).toContain(status);
    }
  });

  it('logs IDs of grants, never the text or the patient', () => {
    const log = service.log.join('');
    expect(log).toContain('"alarm":"break-glass"');
    expect(log).toContain('break-glass-unreviewed');
    expect(log).not.toContain('canary-7f3a');
    expect(log).not.toContain(patient.user_id);
  });
});

describe('emergency access of a person', () => {
  const path = '/access/break-glass';
  const reason = { reason_code: 'emergency_treatment', text, user_id: order.user_id };
  const signInAs = async (role: Role = 'billing'): Promise<SignedInPerson> =>
    await signedIn(service, { teamId: sampleTeamId, role, issuer: provider.issuer });
  const askAs = async (by: SignedInPerson, changes?: TokenChanges, who = by): Promise<Answer> => {
    const presented = await signInBody(provider, { ...by, subject: who.subject }, changes);
    return await by.request('POST', path, { body: { ...reason, ...presented } });
  };

  it('needs a new sign-in of the same person', async () => {
    const [person, colleague] = [await signInAs(), await signInAs()];
    const plain = await person.request('POST', path, { body: reason });
    expect([plain.status, plain.body]).toEqual([422, expect.stringContaining('id_token')]);
    for (const [changes, who, refusal] of [
      [{ issued: -121 }, person, 'stale-sign-in'],
      [{ claims: { auth_time: undefined } }, person, 'stale-sign-in'],
      [{}, colleague, 'other-person'],
    ] as const) {
      const answer = await askAs(person, changes, who);
      expect([answer.status, answer.json()]).toMatchObject([401, { reason: refusal }]);
    }
  });

  it('is returned again while it is in force, is theirs alone, and ends when they end it', async () => {
    const [person, colleague] = [await signInAs(), await signInAs()];
    const first = await askAs(person);
    expect([first.status, (await askAs(person)).json()]).toEqual([201, first.json()]);
    const { break_glass_id: id } = first.json() as { break_glass_id: string };
    const under = await person.request('GET', resultOf(order));
    expect([under.status, under.headers['x-break-glass-id']]).toEqual([200, id]);
    for (const [by, method, at, status] of [
      [colleague, 'GET', resultOf(order), 403],
      [colleague, 'DELETE', `${path}/${id}`, 404],
      [person, 'DELETE', `${path}/${id}`, 204],
      [person, 'GET', resultOf(order), 403],
    ] as const) {
      expect((await by.request(method, at)).status).toBe(status);
    }
    expect((await askAs(colleague)).json()).not.toEqual(first.json());
    const auditor = await signInAs('auditor');
    const body = { outcome: 'justified' };
    const review = await auditor.request('POST', `${path}/${id}/review`, { body });
    expect(review.json()).toMatchObject({
      ...{ key_id: null, staff_id: person.staffId, staff_name: 'Ines Example', role: 'billing' },
      reviewed_by: auditor.staffId,
    });
    const records = bodiesIn(service.folder).filter((one) => one.break_glass_id === id);
    const request = { operation: 'askBreakGlass', actor_id: person.staffId };
    const details = { asked_user_id: order.user_id };
    expect(records.slice(0, 3)).toMatchObject([
      { operation: 'breakGlass', actor_id: person.staffId },
      { ...request, details },
      { ...request, details: { ...details, grant: 'in_force' } },
    ]);
  });
});
