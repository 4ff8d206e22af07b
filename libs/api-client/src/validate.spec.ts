import { beforeEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { USER_ID, createClient, getFailure } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { HealthDataClient } from './client.ts';
import { InvalidResponseError } from './errors/call-errors.ts';
import { validation } from './validate.ts';
import type { ValidationReport } from './validate.ts';

const USER = {
  user_id: USER_ID,
  team_id: USER_ID,
  client_user_id: 'patient-17',
  created_on: '2025-03-01T10:00:00+05:30',
  connected_sources: [],
  fallback_time_zone: {
    id: 'Asia/Kolkata',
    source_slug: 'oura',
    updated_at: '2025-03-01T10:00:00+05:30',
  },
};
const POINT = {
  start: '2025-06-01T07:00:00+05:30',
  end: '2025-06-01T07:10:00+05:30',
  unit: 'min',
  value: 10,
};

/** Each operation with a valid response, and the same response with one nested value invalid. */
const CASES: readonly (readonly [
  string,
  (client: HealthDataClient) => Promise<unknown>,
  unknown,
  unknown,
  readonly (string | number)[],
])[] = [
  [
    'resolveUser',
    ({ users }) => users.resolve('patient-17'),
    { ...USER, later_field: { kept: true } },
    { ...USER, fallback_time_zone: { ...USER.fallback_time_zone, id: 5 } },
    ['fallback_time_zone', 'id'],
  ],
  [
    'labOrderResult',
    ({ orders }) => orders.result(USER_ID),
    {
      metadata: {},
      results: [{ name: 'Ferritin', slug: 'ferritin', result: '80', interpretation: 'unheard-of' }],
    },
    { metadata: {}, results: [{ name: 'Ferritin', slug: 'ferritin' }] },
    ['results', 0, 'result'],
  ],
  [
    'mindfulnessMinutes',
    ({ timeseries }) => timeseries.mindfulnessMinutes.grouped(USER_ID, { startDate: '2025-06-01' }),
    { groups: { oura: [{ data: [POINT], source: { provider: 'oura', type: 'ring' } }] } },
    {
      groups: {
        oura: [{ data: [{ ...POINT, value: '10' }], source: { provider: 'oura', type: 'ring' } }],
      },
    },
    ['groups', 'oura', 0, 'data', 0, 'value'],
  ],
];

const server = await TestServer.forSpec();
const reports: ValidationReport[] = [];

beforeEach(() => {
  reports.length = 0;
});

describe.each(CASES)('validation of %s', (operation, call, right, wrong, path) => {
  it('strict lets a right answer through, with unknown fields and enum values', async () => {
    server.json(right);
    expect(await call(createClient(server, { validation: validation('strict') }))).toEqual(right);
  });

  it('strict refuses a wrong one and tells where, never what', async () => {
    server.json(wrong);
    const error = await getFailure(
      call(createClient(server, { validation: validation('strict') })),
    );
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status: 200 });
    expect((error as InvalidResponseError).issues).toContainEqual(
      expect.objectContaining({ path }),
    );
    expect(error.message).toMatch(/: response does not match the interface$/);
    for (const value of ['Ferritin', 'patient-17']) {
      expect(JSON.stringify((error as InvalidResponseError).issues)).not.toContain(value);
      expect(inspect(error, { depth: null })).not.toContain(value);
    }
  });

  it('warn reports a wrong one and hands it on', async () => {
    server.json(wrong);
    const warn = validation('warn', (report) => reports.push(report));
    expect(await call(createClient(server, { validation: warn }))).toEqual(wrong);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ operation });
    expect(reports[0]?.issues).toContainEqual(expect.objectContaining({ path }));
  });
});
