import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';
import { minuteMs } from '../access.testing.ts';
import { signedIn, signInBody } from '../sessions/signed-in.testing.ts';
import { ForgingProvider } from '../sign-in/forging-provider.testing.ts';

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

let service: TestService;
let now = Date.now();
beforeAll(async () => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const narrow = 'billing.resolveUser=no,billing.latestInsurance=no,billing.userInfo=no';
  service = await testService(envelopes, { config: { narrow } });
});
afterAll(async () => {
  await service.close();
  jest.restoreAllMocks();
});

async function post(path: string, key: string, body: object) {
  const answer = await service.post(`/access/break-glass${path}`, key, body);
  return { status: answer.status, body: answer.json() as Record<string, unknown> };
}

const ask = async (key: string, userId: string) =>
  await post('', key, { reason_code: 'emergency_treatment', text, user_id: userId });

const resultOf = ({ order_id }: { order_id: string }): string => `/v3/order/${order_id}/result`;

describe('emergency access', () => {
  it('opens to a key what its role or the narrowing denies, for one patient and 30 minutes', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const paths = [
      resultOf(order),
      `/v2/user/resolve/${encodeURIComponent(patient.client_user_id)}`,
      `/v2/timeseries/${patient.user_id}/mindfulness_minutes/grouped?start_date=2026-01-01`,
      `/v2/user/${patient.user_id}/insurance/latest`,
      `/v2/user/${patient.user_id}/info/latest`,
      `/desk/orders/${order.order_id}/history`,
    ];
    for (const path of paths) {
      expect((await service.get(path, key)).status).toBe(403);
    }
    const granted = await ask(key, patient.user_id);
    expect(granted.status).toBe(201);
    for (const path of paths) {
      const answer = await service.get(path, key);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers['x-break-glass-id']).toBe(granted.body['break_glass_id']);
    }
    const wrong = await service.get(`${paths[2]!}&unknown=1`, key);
    expect([wrong.status, wrong.headers['x-break-glass-id']]).toEqual([
      422,
      granted.body['break_glass_id'],
    ]);
    now += 30 * minuteMs;
    for (const path of paths) {
      const answer = await service.get(path, key);
      expect([answer.status, answer.headers['x-break-glass-id']]).toEqual([403, undefined]);
    }
  });

  it('opens no other patient, no other team, no other key and no list', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const colleague = await service.key(sampleTeamId, 'billing');
    await ask(key, patient.user_id);
    await ask(key, foreign.user_id);
    expect((await service.get(resultOf(order), key)).status).toBe(200);
    expect((await service.get(resultOf(order), colleague)).status).toBe(403);
    expect((await service.get(resultOf(otherOrder), key)).status).toBe(403);
    expect((await service.get(resultOf(foreign), key)).status).toBe(403);
    expect((await service.get(`/v3/order/${patient.user_id}/result`, key)).status).toBe(403);
    expect((await service.get('/v3/order/x/result', key)).status).toBe(403);
    expect((await service.get('/v2/user/resolve/nobody', key)).status).toBe(403);
    expect((await service.get('/v3/orders', key)).status).toBe(403);
    // Nor is searched what lab reports say.
    const found = await service.post('/desk/people/search', key, { text: order.order_id });
    expect(found.json()).toMatchObject({ people: [] });
    const timeseries = (id: string): string =>
      `/v2/timeseries/${id}/mindfulness_minutes/grouped?start_date=2026-01-01`;
    expect((await service.get(timeseries(otherOrder.user_id), key)).status).toBe(403);
    // A grant of a patient whom the team does not have is let in, and finds nobody.
    expect((await service.get(timeseries(foreign.user_id), key)).status).toBe(404);
    const list = await service.get('/v2/user', key);
    expect(list.body).not.toContain('fallback_birth_date');
    expect(list.headers['x-break-glass-id']).toBeUndefined();
    expect((await service.get('/access/break-glass', key)).status).toBe(403);
  });

  it('looks up no patient for a key without a grant', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const reads = [
      jest.spyOn(service.source, 'userByClientId'),
      jest.spyOn(service.source, 'labResult'),
    ];
    const byName = `/v2/user/resolve/${encodeURIComponent(patient.client_user_id)}`;
    for (const path of [resultOf(order), byName]) {
      expect((await service.get(path, key)).status).toBe(403);
    }
    for (const read of reads) {
      expect(read).not.toHaveBeenCalled();
      read.mockRestore();
    }
  });

  it('sends no header if the role may read anyway', async () => {
    const key = await service.key(sampleTeamId, 'clinician');
    await ask(key, patient.user_id);
    const answer = await service.get(resultOf(order), key);
    expect([answer.status, answer.headers['x-break-glass-id']]).toEqual([200, undefined]);
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
    const grantsOf = async (key: string, query = ''): Promise<Record<string, unknown>[]> => {
      const answer = await service.get(`/access/break-glass${query}`, key);
      expect(answer.status).toBe(200);
      return (answer.json() as { grants: Record<string, unknown>[] }).grants;
    };
    expect((await grantsOf(auditor)).find((grant) => grant['break_glass_id'] === id)).toEqual(
      granted,
    );
    expect(await grantsOf(otherAuditor, '?state=all')).toEqual([]);
    const review = { outcome: 'not_justified', note: 'talked to' };
    expect((await post(`/${id}/review`, otherAuditor, review)).status).toBe(404);
    expect((await post(`/${id}/review`, desk, review)).status).toBe(403);
    expect((await post(`/${id}/review`, auditor, { outcome: 'fine' })).status).toBe(422);
    expect((await post(`/${id}/review`, auditor, { ...review, note: 7 })).status).toBe(422);
    const done = { ...review, reviewed_at: new Date(now).toISOString() };
    expect(await post(`/${id}/review`, auditor, review)).toEqual({
      status: 200,
      body: { ...granted, ...done, reviewed_by: expect.any(String) },
    });
    // The same again is answered as done, anything else is not taken.
    expect((await post(`/${id}/review`, auditor, review)).status).toBe(200);
    const other = { ...review, note: 'in other words' };
    expect((await post(`/${id}/review`, auditor, other)).status).toBe(409);
    const open = await grantsOf(auditor, '?state=open');
    expect(open.some((grant) => grant['break_glass_id'] === id)).toBe(false);
    expect(await grantsOf(auditor, '?state=all')).toContainEqual(expect.objectContaining(review));
    expect((await service.get('/access/break-glass?state=x', auditor)).status).toBe(422);
    // The list goes on behind a grant of the team, and behind no other.
    const behind = `?state=all&cursor=${id}`;
    expect((await grantsOf(auditor, behind)).map((grant) => grant['break_glass_id'])).not.toContain(
      id,
    );
    expect((await service.get(`/access/break-glass${behind}`, otherAuditor)).status).toBe(422);
    expect((await service.get('/access/break-glass?stat=all', auditor)).status).toBe(422);
  });

  it('ends a grant that was not justified at once, and leaves one that was', async () => {
    const key = await service.key(sampleTeamId, 'billing');
    const auditor = await service.key(sampleTeamId, 'auditor');
    const granted = [await ask(key, order.user_id), await ask(key, otherOrder.user_id)];
    const [ended, kept] = granted.map(({ body }) => String(body['break_glass_id']));
    expect((await service.get(resultOf(order), key)).status).toBe(200);
    await post(`/${ended!}/review`, auditor, { outcome: 'not_justified' });
    await post(`/${kept!}/review`, auditor, { outcome: 'justified' });
    expect((await service.get(resultOf(order), key)).status).toBe(403);
    expect((await service.get(resultOf(otherOrder), key)).status).toBe(200);
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
  it('is returned again while it is in force, is theirs alone, and ends when they end it', async () => {
    const provider = await ForgingProvider.start();
    const { issuer, clientId: oidcClientId } = provider;
    const desks = await testService(envelopes, { config: { oidcIssuer: issuer, oidcClientId } });
    try {
      const who = { teamId: sampleTeamId, role: 'billing', issuer } as const;
      const [person, colleague] = [await signedIn(desks, who), await signedIn(desks, who)];
      const reason = { reason_code: 'emergency_treatment', text, user_id: order.user_id };
      const askAs = async (by = person): Promise<{ readonly break_glass_id: string }> => {
        const body = { ...reason, ...(await signInBody(provider, by)) };
        const answer = await by.request('POST', '/access/break-glass', { body });
        expect(answer.status).toBe(201);
        return answer.json() as { break_glass_id: string };
      };
      const first = await askAs();
      expect(await askAs()).toEqual(first);
      const { break_glass_id: id } = first;
      const under = await person.request('GET', resultOf(order));
      expect([under.status, under.headers['x-break-glass-id']]).toEqual([200, id]);
      expect((await colleague.request('GET', resultOf(order))).status).toBe(403);
      const path = `/access/break-glass/${id}`;
      expect((await colleague.request('DELETE', path)).status).toBe(404);
      expect((await person.request('DELETE', path)).status).toBe(204);
      expect((await person.request('GET', resultOf(order))).status).toBe(403);
      expect(await askAs(colleague)).not.toEqual(first);
      const auditor = await signedIn(desks, { ...who, role: 'auditor', name: 'Ada' });
      const review = await auditor.request('POST', `${path}/review`, {
        body: { outcome: 'justified' },
      });
      expect(review.json()).toMatchObject({
        ...{ key_id: null, staff_id: person.staffId, staff_name: 'Ines Example', role: 'billing' },
        reviewed_by: auditor.staffId,
      });
      const records = bodiesIn(desks.folder).filter((one) => one.break_glass_id === id);
      const asked = { operation: 'askBreakGlass', actor_id: person.staffId };
      const details = { asked_user_id: order.user_id };
      expect(records.slice(0, 3)).toMatchObject([
        { operation: 'breakGlass', actor_id: person.staffId },
        { ...asked, details },
        { ...asked, details: { ...details, grant: 'in_force' } },
      ]);
    } finally {
      await desks.close();
      await provider.stop();
    }
  });
});
