import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type Answer, type TestService } from '../testing/service.testing.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await testService(sampleEnvelopes({ users: 9 }));
  key = await service.key(sampleTeamId);
});
afterAll(async () => {
  await service.close();
});

const series = `/v2/timeseries/${personas.amara.userId}/mindfulness_minutes/grouped`;
const insurance = `/v2/user/${personas.amara.userId}/insurance/latest`;

/** A 422 that names exactly these parameters, each with a reason that does not repeat what was sent. */
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
    ['limit 0', '/v2/user/?limit=0', ['limit']],
    ['limit 501', '/v2/user/?limit=501', ['limit']],
    ['offset -1', '/v2/user/?offset=-1', ['offset']],
    ['repeated, once encoded', '/v2/user/?limit=1&l%69mit=2', ['limit']],
    ['as a list', '/v2/user/?limit[]=1', ['limit[]']],
    ['unknown', '/v2/user/?page=1', ['page']],
    ['is_primary yes', `${insurance}?is_primary=yes`, ['is_primary']],
  ])('is refused by its name: %s, %s', async (_what, path, parameters) => {
    expectRefused(await service.get(path, key), parameters);
  });

  it('with a plus that became a space says how to write it', async () => {
    const answer = await service.get(`${series}?start_date=2024-01-01T00:00:00+02:00`, key);
    expectRefused(answer, ['start_date']);
    expect(answer.body).toContain('%2B');
    const right = await service.get(`${series}?start_date=2024-01-01T00:00:00%2B02:00`, key);
    expect(right.status).toBe(200);
  });

  it('is never repeated in the answer', async () => {
    const marked = 'CANARY-7f3a';
    for (const path of [
      `/v3/order/${marked}/result`,
      `/v2/user/resolve/${marked}`,
      `/v2/user/resolve/${marked}%zz`,
      `/v2/user/?limit=${marked}`,
      `/v2/user/?${marked}@=1`,
      `${series}?start_date=${marked}`,
      `${series}?start_date=2024-01-01&next_cursor=${marked}`,
      `/${marked}`,
      `/v2/user/resolve/${marked.repeat(150)}`,
    ]) {
      const answer = await service.get(path, key);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body + JSON.stringify(answer.headers)).not.toContain('CANARY');
    }
    expect(service.log.join('')).not.toContain('CANARY');
  });
});
