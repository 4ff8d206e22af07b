import { describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import fc from '@caregate/seeded';
import { API_KEY, USER_ID, createClient, getFailure } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { HealthDataClient } from './client.ts';
import { InvalidArgumentError } from './errors/call-errors.ts';

/** Any text that UTF-8 can encode. Starts faster than fast-check's unit `binary`. */
const anyId = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })),
    { minLength: 1, maxLength: 40 },
  )
  .map((points) => String.fromCodePoint(...points))
  .filter((id) => id !== '.' && id !== '..');

const server = await TestServer.forSpec();
const client = createClient(server);

describe('the operations', () => {
  let headers: IncomingHttpHeaders;

  function answer(body: unknown): void {
    server.answer = (request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  }

  // What they answer is tested with the examples of the fake transport.
  it.each<[string, (of: HealthDataClient) => Promise<unknown>]>([
    ['/v2/user/', ({ users }) => users.list()],
    ['/v2/user/?offset=500&limit=25', ({ users }) => users.list({ offset: 500, limit: 25 })],
    ['/v2/user/resolve/patient-17', ({ users }) => users.resolve('patient-17')],
    [`/v2/user/${USER_ID}/insurance/latest`, ({ users }) => users.latestInsurance(USER_ID)],
    [
      `/v2/user/${USER_ID}/insurance/latest?is_primary=false`,
      ({ users }) => users.latestInsurance(USER_ID, { isPrimary: false }),
    ],
    [`/v2/user/${USER_ID}/info/latest`, ({ users }) => users.info(USER_ID)],
    [`/v3/order/${USER_ID}/result`, ({ orders }) => orders.result(USER_ID)],
  ])('asks %s once with the key', async (target, call) => {
    answer({
      user_id: USER_ID,
      users: [],
      total: 0,
      offset: 0,
      limit: 50,
      metadata: {},
      results: [],
    });
    await call(client);
    expect(server.targets).toEqual([target]);
    expect(headers).toMatchObject({ 'x-service-api-key': API_KEY, accept: 'application/json' });
  });

  it('reads mindfulness minutes at /v2/timeseries/{user_id}/mindfulness_minutes/grouped', async () => {
    answer({ groups: {}, next: null, next_cursor: null });
    const { mindfulnessMinutes } = client.timeseries;
    await mindfulnessMinutes.grouped(USER_ID, { startDate: '2025-01-01' });
    await mindfulnessMinutes.grouped(USER_ID, {
      startDate: '2025-01-01T00:00:00+02:00',
      endDate: '2025-02-01',
      provider: 'oura',
      nextCursor: 'a+b/c=&d',
    });
    await mindfulnessMinutes.grouped(USER_ID, { startDate: '2025-01-01', nextCursor: null });
    const path = `/v2/timeseries/${USER_ID}/mindfulness_minutes/grouped`;
    expect(server.targets).toEqual([
      `${path}?start_date=2025-01-01`,
      `${path}?start_date=2025-01-01T00%3A00%3A00%2B02%3A00&end_date=2025-02-01&provider=oura&next_cursor=a%2Bb%2Fc%3D%26d`,
      `${path}?start_date=2025-01-01`,
    ]);
  });

  it('sends the key in the header that is asked for', async () => {
    answer({ metadata: {}, results: [] });
    const other = createClient(server, { headerName: 'X-Brand-Key' });
    await other.orders.result(USER_ID);
    expect(headers['x-brand-key']).toBe(API_KEY);
    expect(headers['x-service-api-key']).toBeUndefined();
  });

  it('sends any id as one segment that decodes to itself', async () => {
    answer({ user_id: USER_ID });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anyId, fc.constantFrom('a/../b', '%2e%2e', '50%/x?y#z', '../..')),
        async (id) => {
          server.targets.length = 0;
          await client.users.resolve(id);
          const parts = server.targets[0]!.split('/');
          expect(parts.slice(0, 4)).toEqual(['', 'v2', 'user', 'resolve']);
          expect(parts).toHaveLength(5);
          expect(decodeURIComponent(parts[4]!)).toBe(id);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([['.'], ['..'], [''], [undefined], [null], [7], ['\ud800']])(
    'refuses the id %p before a request is made',
    async (id) => {
      const bad = id as string;
      for (const call of [
        client.users.resolve(bad),
        client.users.latestInsurance(bad),
        client.users.info(bad),
        client.orders.result(bad),
        client.orders.history(bad),
        client.timeseries.mindfulnessMinutes.grouped(bad, { startDate: '2025-01-01' }),
      ]) {
        expect(await getFailure(call)).toBeInstanceOf(InvalidArgumentError);
      }
      expect(server.targets).toEqual([]);
    },
  );

  it('puts a path prefix of the base URL before the path, with or without its slash', async () => {
    answer({ metadata: {}, results: [] });
    for (const end of ['', '/', '//']) {
      const prefixed = createClient(server, { baseUrl: `${server.url}/clinic/health${end}` });
      await prefixed.orders.result('o1');
    }
    expect(server.targets).toEqual(Array(3).fill('/clinic/health/v3/order/o1/result'));
  });
});
