import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import fc from '@caregate/seeded';
import { testService, type TestService } from '../testing/service.testing.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await testService(sampleEnvelopes({ users: 9 }), {
    config: { rateLimitPerAddress: 1_000_000, rateLimitPerKey: 1_000_000 },
  });
  key = await service.key(sampleTeamId);
});
afterAll(async () => {
  await service.close();
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => encodeURIComponent(text)),
  // Raw: every character that may stand in a request line.
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  }),
  fc.uuid(),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%00',
    '%0A',
    '%2F',
    '%2e%2E',
    '%25',
    '%F0%9F%A7%AA',
    'null',
    '-0',
  ),
);
const parameters = fc.constantFrom(
  'start_date',
  'end_date',
  'provider',
  'cursor',
  'next_cursor',
  'limit',
  'offset',
  'is_primary',
);
const anyValue = fc.oneof(
  anyText,
  fc.integer().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2024-01-01', '0000-01-01', '9999-12-31T23:59:59Z', 'true', 'false'),
);
const paths = fc.oneof(
  anyText.map((id) => `/v2/user/resolve/${id}`),
  anyText.map((id) => `/v3/order/${id}/result`),
  anyText.map((id) => `/v2/user/${id}/insurance/latest`),
  fc.constantFrom(
    '/v2/user/',
    `/v2/user/${personas.amara.userId}/insurance/latest`,
    `/v2/timeseries/${personas.amara.userId}/mindfulness_minutes/grouped`,
  ),
  anyText.map((text) => `/${text}`),
);
const queries = fc
  .array(fc.tuple(fc.oneof({ arbitrary: parameters, weight: 5 }, anyText), anyValue), {
    maxLength: 4,
  })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

describe('whatever is asked for', () => {
  it('is answered with JSON and a documented status, and never fails inside', async () => {
    await fc.assert(
      fc.asyncProperty(paths, queries, async (path, query) => {
        const answer = await service.get(query === '' ? path : `${path}?${query}`, key);
        expect([200, 400, 404, 422]).toContain(answer.status);
        if (answer.status !== 200) {
          expect(answer.json()).toMatchObject({
            status: answer.status,
            request_id: answer.headers['x-request-id'],
          });
        }
      }),
      { numRuns: 120 },
    );
  });
});
