import { describe, expect, it } from '@jest/globals';
import { NO_INSURANCE, type ImportEnvelope } from '@caregate/domain';
import {
  edgeCases,
  edgeCaseEnvelopes,
  personas,
  listPersonas,
  otherTeamId,
  sampleEnvelopes,
  sampleTeamId,
} from '@caregate/sample-data';
import { type Answer, comparable, startSpecService } from '../testing/service.testing.ts';

const envelopes: readonly ImportEnvelope[] = [
  ...sampleEnvelopes({ users: 30 }),
  ...edgeCaseEnvelopes(),
  ...sampleEnvelopes({ users: 12, teamId: otherTeamId }),
  ...sampleEnvelopes({ users: 1, first: 500, teamId: otherTeamId, kinds: ['user'] }),
];
const otherCast = listPersonas({ teamId: otherTeamId });
const users = envelopes.flatMap((envelope) => (envelope.kind === 'user' ? [envelope.user] : []));

const service = await startSpecService(envelopes);
const key = await service.key(sampleTeamId);
const otherKey = await service.key(otherTeamId);

function expectJson(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
}

describe('resolving a user', () => {
  it('answers with the stored bytes for every user of the team, whatever their client id holds', async () => {
    for (const user of users.filter(({ team_id }) => team_id === sampleTeamId)) {
      const path = `/v2/user/resolve/${encodeURIComponent(user.client_user_id)}`;
      const answer = await service.get(path, key);
      expectJson(answer);
      const stored = await service.source.findUserByClientId(sampleTeamId, user.client_user_id);
      expect(answer.body).toBe(stored?.body);
      expect(answer.json()).toEqual(user);
    }
  });
});

describe('a lab order result', () => {
  it('is answered with the stored bytes for every order', async () => {
    // The file has a corrected result twice; the last one counts.
    const results = new Map(
      envelopes.flatMap((each) =>
        each.kind === 'lab_result' && each.team_id === sampleTeamId
          ? [[each.order_id, each.result] as const]
          : [],
      ),
    );
    expect(results.size).toBeGreaterThan(0);
    for (const [orderId, result] of results) {
      const answer = await service.get(`/v3/order/${orderId}/result`, key);
      expectJson(answer);
      const stored = await service.source.getLabResult(sampleTeamId, orderId);
      expect(answer.body).toBe(stored?.body);
      expect(answer.json()).toEqual(result);
    }
  });
});

describe('the latest insurance', () => {
  it('is the newest primary one, with the stored bytes', async () => {
    for (const { userId } of [personas.amara, personas.wren, edgeCases.insuranceOutOfOrder]) {
      const answer = await service.get(`/v2/user/${userId}/insurance/latest`, key);
      expectJson(answer);
      const stored = await service.source.getLatestInsurance(sampleTeamId, {
        userId,
        isPrimary: true,
      });
      expect(stored).toHaveProperty('body', answer.body);
    }
  });

  it('is the secondary one when is_primary is false', async () => {
    const path = `/v2/user/${edgeCases.secondaryOnly.userId}/insurance/latest`;
    expectJson(await service.get(`${path}?is_primary=false`, key));
    const primary = await service.get(`${path}?is_primary=true`, key);
    expect(primary.json()).toMatchObject({
      type: NO_INSURANCE,
      status: 404,
      detail: 'This user has no primary insurance on record.',
    });
  });
});

describe('the list of users', () => {
  it.each(['/v2/user/', '/v2/user'])('answers at %s with the documented shape', async (path) => {
    const answer = await service.get(path, key);
    expectJson(answer);
    const stored = await service.source.listUsers(sampleTeamId, { offset: 0, limit: 100 });
    expect(answer.body).toBe(stored.body);
  });
});

describe('what is absent', () => {
  const onlyThere = users.at(-1)!;
  const absent = 'ffffffff-0000-4000-8000-000000000000';
  const withResult = envelopes.flatMap((each) => (each.kind === 'lab_result' ? each.order_id : []));
  const open = envelopes
    .flatMap((each) =>
      each.kind === 'order' && each.order.team_id === otherTeamId ? each.order.id : [],
    )
    .find((id) => !withResult.includes(id))!;
  const pairs = [
    ['order', `/v3/order/${absent}/result`, `/v3/order/${otherCast.amara.orderIds[0]!}/result`],
    ['order without a result', `/v3/order/${absent}/result`, `/v3/order/${open}/result`],
    [
      'insurance',
      `/v2/user/${absent}/insurance/latest`,
      `/v2/user/${otherCast.amara.userId}/insurance/latest`,
    ],
    ['client id', '/v2/user/resolve/nobody', `/v2/user/resolve/${onlyThere.client_user_id}`],
    [
      'timeseries',
      `/v2/timeseries/${absent}/mindfulness_minutes/grouped?start_date=2024-01-01`,
      `/v2/timeseries/${otherCast.amara.userId}/mindfulness_minutes/grouped?start_date=2024-01-01`,
    ],
  ] as const;

  it.each(pairs)(
    'gets the same answer as what another team has: %s',
    async (_what, absentPath, foreignPath) => {
      const nothing = await service.get(absentPath, key);
      expect(nothing.status).toBe(404);
      expect(comparable(await service.get(foreignPath, otherKey))).not.toEqual(comparable(nothing));
      expect(comparable(await service.get(foreignPath, key))).toEqual(comparable(nothing));
    },
  );

  it.each(['.', '..', '%2e%2e', ''])(
    'includes the id "%s", which is no other route',
    async (id) => {
      for (const path of [
        `/v3/order/${id}/result`,
        `/v2/user/${id}/insurance/latest`,
        `/v2/user/resolve/${id}`,
        `/v2/timeseries/${id}/mindfulness_minutes/grouped?start_date=2024-01-01`,
      ]) {
        const answer = await service.get(path, key);
        expect(answer.json()).toMatchObject({ type: '/problems/not-found', status: 404 });
      }
    },
  );
});

const series = `/v2/timeseries/${personas.amara.userId}/mindfulness_minutes/grouped`;

/** Requires a 422 that names exactly these parameters, and doesn't repeat their values. */
function expectRefused(answer: Answer, parameters: readonly string[]): void {
  expect(answer.status).toBe(422);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const body = answer.json() as {
    type: string;
    errors: { parameter: string; reason: string }[];
    request_id: string;
  };
  expect(body.type).toBe('/problems/invalid-parameter');
  expect(body.errors.map(({ parameter }) => parameter)).toEqual(parameters);
  for (const { reason } of body.errors) {
    expect(reason).toMatch(/^(must|is|was|differs) /);
  }
  expect(body.request_id).toBe(answer.headers['x-request-id']);
}

describe('a parameter that cannot be used', () => {
  it.each([
    ['bad uuid', '/v3/order/not-a-uuid/result', ['order_id']],
    ['missing', series, ['start_date']],
    ['end before start', `${series}?start_date=2024-01-02&end_date=2024-01-01`, ['end_date']],
    [
      'end before start by an offset',
      `${series}?start_date=2024-01-01T00:00:00Z&end_date=2024-01-01T00:30:00%2B01:00`,
      ['end_date'],
    ],
    ['limits of a list', '/v2/user/?limit=501&offset=-1', ['offset', 'limit']],
    ['repeated, once encoded', '/v2/user/?limit=1&l%69mit=2', ['limit']],
    ['unknown', '/v2/user/?page=1', ['page']],
    ['no UUID among them', '/v3/orders?order_ids=x', ['order_ids']],
    ['a NUL', '/v3/orders?patient_name=a%00b', ['patient_name']],
  ])('is refused by its name: %s, %s', async (_what, path, parameters) => {
    expectRefused(await service.get(path, key), parameters);
  });

  it.each([
    [{ text: 'ab' }, 'text'],
    [{ text: 'amara', limit: 21 }, 'limit'],
    [{ text: 'amara', q: 1 }, '(unknown)'],
  ])('is refused in a search, too: %j', async (body, parameter) => {
    const answer = await service.post('/desk/people/search', key, body);
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ parameter }] });
  });
});
