import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodiesIn } from '@caregate/audit-log/testing';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import {
  enrolledDesk,
  signedIn,
  type EnrolledTestDesk,
  type SignedIn,
} from '../access/sessions/signed-in.testing.ts';
import { testService, type Answer, type TestService } from '../testing/service.testing.ts';

const { amara, sunniva } = personas;
const kinds = ['user', 'user_info', 'order', 'lab_result'] as const;
const history = `/desk/orders/${amara.orderIds[0]!}/history`;

/** The operations of a desk around people, as a person asks for them. */
const asked: Readonly<Record<string, (person: SignedIn) => Promise<Answer>>> = {
  userInfo: (person) => person.request('GET', `/v2/user/${amara.userId}/info/latest`),
  listOrders: (person) => person.request('GET', `/v3/orders?user_id=${amara.userId}`),
  orderHistory: (person) => person.request('GET', history),
  searchPeople: (person) =>
    person.request('POST', '/desk/people/search', { body: { text: 'amara okon' } }),
};

let service: TestService;
let at: EnrolledTestDesk;
beforeAll(async () => {
  service = await testService(sampleEnvelopes({ users: 20, kinds }));
  at = await enrolledDesk(service, sampleTeamId);
});
afterAll(async () => {
  await service.close();
});

const person = (role: 'clinician' | 'billing'): Promise<SignedIn> =>
  signedIn(service, { teamId: sampleTeamId, role }, at);
const recordsOf = ({ staffId }: SignedIn): ReturnType<typeof bodiesIn> =>
  bodiesIn(service.folder).filter((body) => body['actor_id'] === staffId);

describe('a person who is signed in', () => {
  it.each(Object.keys(asked))('is answered %s as a key is, and recorded', async (operation) => {
    const clinician = await person('clinician');
    const answer = await asked[operation]!(clinician);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(operation === 'orderHistory' ? 'biomarkers' : 'Okonkwo');
    const listed = ['listOrders', 'searchPeople'].includes(operation);
    expect(recordsOf(clinician)).toContainEqual(
      expect.objectContaining({
        ...{ operation, actor_type: 'staff', role: 'clinician', session_id: clinician.sessionId },
        ...{ device_id: clinician.deskId, patients: expect.arrayContaining([amara.userId]) },
        details: listed ? expect.objectContaining({ shown: 'listed' }) : expect.anything(),
      }),
    );
    const told = JSON.stringify(recordsOf(clinician)) + service.log.join();
    expect(told).not.toMatch(/okon/iu);
  });

  it('with emergency access to one person reads what came before their results, and nobody else’s', async () => {
    const billing = await person('billing');
    expect((await billing.request('GET', history)).status).toBe(403);
    const granted = await billing.request('POST', '/access/break-glass', {
      body: {
        ...{ reason_code: 'emergency_treatment', user_id: amara.userId },
        text: 'The patient is unconscious and alone.',
      },
    });
    expect(granted.status).toBe(201);
    expect((await billing.request('GET', history)).status).toBe(200);
    expect(recordsOf(billing)).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'orderHistory', decision: 'allowed', reason_code: 'break_glass' },
        ...{ purpose_of_use: 'BTG', patients: [amara.userId] },
      }),
    );
    const others = `/desk/orders/${sunniva.orderIds[0]!}/history`;
    expect((await billing.request('GET', others)).status).toBe(403);
    // Lists are about nobody in particular, and what lab reports say is not searched.
    expect((await asked['listOrders']!(billing)).status).toBe(403);
    const search = { body: { text: amara.orderIds[0]! } };
    const found = await billing.request('POST', '/desk/people/search', search);
    expect(found.json()).toMatchObject({ people: [] });
  });
});
