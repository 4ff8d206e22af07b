import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { NodeTransport } from '@caregate/api-client/node';
import { NO_INSURANCE, NO_RESULT } from '@caregate/domain';
import type { HealthDataSource, SourceCall } from '../health-data-source.ts';
import { SourceError } from '../source-error.ts';
import {
  CANARY,
  FaultyUpstream,
  insurance,
  KEY,
  list,
  minutes,
  ORDER_ID,
  result,
  createUpstreams,
  user,
  USER_ID,
  type Answering,
} from './faulty-upstream.testing.ts';
import { UpstreamSource } from './upstream-source.ts';

const TEAM = 'c0de7e57-1b9f-4a60-8e22-7d4f3a915b06';
const transport = new NodeTransport();
const sourceAt = (url: string, timeoutMs = 10_000): UpstreamSource =>
  new UpstreamSource([...createUpstreams(TEAM, url, KEY).values()][0]!, transport, timeoutMs);

let upstream: FaultyUpstream;
let source: UpstreamSource;

beforeAll(async () => {
  upstream = await FaultyUpstream.start();
});
afterAll(async () => {
  transport.close();
  await upstream.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const page = { offset: 0, limit: 100 };
const points = { userId: USER_ID, fromUs: 1_735_689_600_000_000, limit: 10 };
const newestOrders = { key: 'created_at', direction: 'desc', page: 1, size: 50 } as const;
const ofAmara = { words: ['amara'], dates: [], text: 'amara' } as never;

/** One read of each kind. */
const READS = {
  user: (from) => from.findUserByClientId(TEAM, 'patient-1'),
  list: (from) => from.listUsers(TEAM, page),
  info: (from) => from.getUserInfo(TEAM, USER_ID),
  insurance: (from) => from.getLatestInsurance(TEAM, { userId: USER_ID, isPrimary: true }),
  result: (from) => from.getLabResult(TEAM, ORDER_ID),
  points: (from) => from.getTimeseries(TEAM, points),
  orders: (from) => from.listOrders(TEAM, newestOrders),
  history: (from) => from.getOrderHistory(TEAM, ORDER_ID),
  search: (from) => from.searchPeople(TEAM, { query: ofAmara, limit: 8, labs: true }),
} satisfies Record<string, (from: HealthDataSource) => Promise<unknown>>;
type Read = keyof typeof READS;

const order = (over: object = {}): object => ({
  ...{ id: ORDER_ID, team_id: TEAM, user_id: USER_ID, created_at: '2026-01-01T00:00:00Z', ...over },
});
const orders = (...all: object[]): object => ({
  ...{ orders: all, total: all.length, page: 1, size: 50 },
});

/** Returns the result of the read, or its error. Uses a new source, so that an open circuit doesn't affect it. */
async function read(name: Read, timeoutMs?: number): Promise<unknown> {
  source = sourceAt(upstream.url, timeoutMs);
  return await READS[name](source).catch((error: unknown) => error);
}

async function expectError(name: Read, kind: string, timeoutMs?: number): Promise<SourceError> {
  const error = await read(name, timeoutMs);
  expect(error).toBeInstanceOf(SourceError);
  expect(error).toMatchObject({ kind });
  const { message, detail } = error as SourceError;
  expect(`${message}${detail}`).not.toMatch(new RegExp(`${CANARY}|${KEY}`, 'u'));
  return error as SourceError;
}

describe('an answer of an upstream', () => {
  it.each<[string, Read, string]>([
    ['an age as a string', 'result', '{"metadata":{"age":"41"},"results":[]}'],
    [
      'digits that a number would lose',
      'result',
      '{"metadata":{"x":1.50},"results":[],"big":12345678901234567890}',
    ],
    [
      'unknown fields and blanks',
      'insurance',
      ` ${JSON.stringify({ ...insurance, other: { a: [1] } }, null, 2)}\n`,
    ],
    ['a team ID of its own', 'user', JSON.stringify(user('patient-1'))],
    ['unknown members of a list', 'list', JSON.stringify(list({ limit: 50, more: { x: 1 } }))],
  ])('is passed on as it is written: %s', async (_what, name, body) => {
    upstream.setAnswer(200, body);
    expect(await read(name)).toMatchObject({ body });
  });

  it('has the texts of a page of points, and its cursor apart', async () => {
    upstream.setAnswer(200, '{"groups":{"a": []},"more":1.0,"next":"an older name"}');
    expect(await read('points')).toEqual({
      ...{ groups: '{"a": []}', count: 0, rest: ',"more":1.0', userId: USER_ID },
      next: { upstreamCursor: 'an older name' },
    });
  });

  it.each<[string, Read, object | string]>([
    ['another user than requested', 'user', user('patient-2')],
    ['another page of users', 'list', list({ offset: 10 })],
    ['more users than requested', 'list', list({ users: [user('a')], total: 2, limit: 0 })],
    ['a user twice', 'list', list({ users: [user('a'), user('b')], total: 2 })],
    ['an insurance without its fields', 'insurance', { ...insurance, member_id: undefined }],
    ['a result with a wrong date', 'result', { metadata: { date_reported: 'x' }, results: [] }],
    ['a cursor too long to pass on', 'points', { ...minutes, next_cursor: 'x'.repeat(4097) }],
    ['orders of two teams', 'orders', orders(order(), order({ id: USER_ID, team_id: ORDER_ID }))],
    ['another page of orders', 'orders', { ...orders(order()), page: 2 }],
    ['another shape', 'user', { x: CANARY }],
    ['HTML', 'user', `<html>${CANARY}</html>`],
    ['nothing', 'user', ''],
  ])('is refused if it has %s', async (_what, name, body) => {
    upstream.setAnswer(200, typeof body === 'string' ? body : JSON.stringify(body));
    await expectError(name, 'bad-upstream');
  });

  const sodium = '{"name":"Sodium","slug":"sodium","result":"140"}';

  it.each(['', ',"result":null'])('gets the text of a result from its number%s', async (none) => {
    const rest = '"name":"Potassium","slug":"potassium","value":4.10,"type":"numeric"';
    upstream.setAnswer(200, `{"metadata":{},"results":[${sodium},{${rest}${none}}],"more":1.0}`);
    expect(await read('result')).toMatchObject({
      body: `{"metadata":{},"results":[${sodium},{${rest},"result":"4.10"}],"more":1.0,"missing_results":[]}`,
    });
  });

  it.each<[string, string, object]>([
    [
      'without result and number',
      '{"name":"Potassium","slug":"potassium"}',
      { name: 'Potassium', note: expect.stringContaining('results[1] result is ') },
    ],
    [
      'of words whose value means nothing',
      '{"name":"Casts","slug":"casts","value":-1,"type":"range"}',
      { name: 'Casts', note: expect.stringContaining('results[1] result ') },
    ],
    [
      'with a number where a text should be',
      '{"name":"Iron","slug":"iron","loinc":"2498-4","result":"9","unit":5}',
      { name: 'Iron', loinc: '2498-4', note: expect.stringContaining('results[1] unit ') },
    ],
    ['that is no object', 'null', { name: 'Unnamed test', slug: '' }],
  ])('names a result %s among the missing, and keeps the others', async (_what, odd, missing) => {
    const others = '"missing_results":[{"name":"Zinc","slug":"zinc"}]';
    upstream.setAnswer(200, `{"metadata":{},"results":[${sodium},${odd}],${others}}`);
    const { body } = (await read('result')) as { readonly body: string };
    expect(JSON.parse(body)).toMatchObject({
      results: [JSON.parse(sodium)],
      missing_results: [{ name: 'Zinc' }, missing],
    });
  });

  it('about orders of another user is refused', async () => {
    upstream.setAnswer(200, JSON.stringify(orders(order())));
    const other = sourceAt(upstream.url).listOrders(TEAM, { ...newestOrders, userId: ORDER_ID });
    await expect(other).rejects.toMatchObject({ kind: 'bad-upstream' });
  });
});

describe('a failure of an upstream', () => {
  it.each<[string, number, string, Record<string, string>, string]>([
    ['a redirect', 302, '', { location: `http://${CANARY}.example/` }, 'bad-upstream'],
    ['400', 400, `{"detail":"${CANARY}"}`, {}, 'bad-upstream'],
    ['401: our key is refused', 401, CANARY, { 'x-hint': CANARY }, 'bad-upstream'],
    ['500', 500, CANARY, {}, 'bad-upstream'],
    ['a 404 in HTML, as of a wrong address', 404, `<html>${CANARY}</html>`, {}, 'bad-upstream'],
    ['504', 504, CANARY, {}, 'timeout'],
    ['429', 429, `{"detail":"${CANARY}"}`, { 'retry-after': '17' }, 'unavailable'],
    ['503', 503, CANARY, { 'retry-after': CANARY }, 'unavailable'],
  ])(
    'says its kind, and nothing that was answered: %s',
    async (_what, status, body, headers, kind) => {
      // Removes the random delay before retries.
      jest.spyOn(Math, 'random').mockReturnValue(0);
      upstream.setAnswer(status, body, headers);
      for (const name of ['user', 'result'] as const) {
        const { retryAfterSeconds } = await expectError(name, kind);
        const seconds = Number(headers['retry-after']);
        expect(retryAfterSeconds).toBe(
          kind === 'unavailable'
            ? Number.isNaN(seconds)
              ? 5
              : Math.min(seconds, 3600)
            : undefined,
        );
      }
    },
  );

  it.each(['user', 'points'] as const)(
    'is a timeout if the answer never ends: %s',
    async (name) => {
      upstream.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write(`{"a":"${CANARY}`);
      };
      await expectError(name, 'timeout', 300);
    },
  );

  it.each([
    ['a 404 of its framework', 404, '{"detail":"Not Found"}'],
    ['another method', 405, '{"detail":"Method Not Allowed"}'],
  ])(
    'is not-offered without a list of orders (%s), and results are read',
    async (_, status, body) => {
      upstream.answer = (request, response) => {
        const isResult = request.url?.endsWith('/result') === true;
        response.writeHead(isResult ? 200 : status, { 'content-type': 'application/json' });
        response.end(isResult ? JSON.stringify(result) : body);
      };
      for (const name of ['orders', 'history', 'search'] as const) {
        await expectError(name, 'not-offered');
      }
      expect(await read('result')).toMatchObject({ body: JSON.stringify(result) });
    },
  );

  it.each<[string, Answering]>([
    ['before the answer', (_request, response) => void response.destroy()],
    [
      'in the body',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 99 });
        response.write('{"metadata"', () => response.destroy());
      },
    ],
    ['by what is not HTTP', (request) => void request.socket.end('garbage\r\n\r\n')],
  ])('of a connection that is cut %s is retried', async (_where, cut) => {
    let failures = 2;
    upstream.requests.length = 0;
    upstream.answer = (request, response) => {
      failures -= 1;
      if (failures >= 0) cut(request, response);
      else response.writeHead(200).end(JSON.stringify(result));
    };
    expect(await read('result')).toMatchObject({ body: JSON.stringify(result) });
    expect(upstream.requests).toHaveLength(3);
  });

  it('is not seen by reads while the upstream restarts', async () => {
    const before = await FaultyUpstream.start();
    const { url, port } = before;
    // The longest waits: chance doesn't decide how long the retries bridge.
    jest.spyOn(Math, 'random').mockReturnValue(0.99);
    source = sourceAt(url, 60_000);
    // Each of the reads is cut off five times, which takes 1.5 s.
    const cutOff = new Promise<void>((resolve) => {
      before.answer = ({ socket }) => {
        socket.destroy();
        if (before.requests.length === 60) resolve();
      };
    });
    const reads = Array.from({ length: 12 }, () => READS.list(source));
    await cutOff;
    await before.stop();
    const after = await FaultyUpstream.start(port);
    after.setAnswer(200, JSON.stringify(list()));
    expect(await Promise.all(reads)).toHaveLength(12);
    expect(source.isDegraded()).toBe(false);
    await after.stop();
  });

  it('opens the circuit once ten reads have failed with their retries', async () => {
    const none = await FaultyUpstream.start();
    source = sourceAt(none.url);
    await none.stop();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    for (let count = 0; count < 10; count += 1) {
      await expect(READS.user(source)).rejects.toMatchObject({ kind: 'bad-upstream' });
    }
    await expect(READS.user(source)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(source.isDegraded()).toBe(true);
  });
});

describe('a 404 of an upstream', () => {
  it.each<[string, Read, object, unknown]>([
    ['no user', 'user', { detail: 'Unknown.' }, undefined],
    ['no insurance', 'insurance', { type: NO_INSURANCE, detail: 'Nada.' }, 'no-insurance'],
    ['no user to be insured', 'insurance', { type: '/problems/not-found' }, 'no-user'],
    ['no user with an info', 'info', { type: '/problems/not-found' }, 'no-user'],
    ['no order', 'result', { type: '/problems/not-found' }, undefined],
    [
      'an order without a result',
      'result',
      { type: NO_RESULT, order_status: 'received.ordered' },
      { orderStatus: 'received.ordered', userId: undefined },
    ],
    ['no user with points', 'points', { detail: 'Unknown.' }, undefined],
  ])('says that there is %s', async (_what, name, problem, found) => {
    upstream.setAnswer(404, JSON.stringify({ title: 'No', status: 404, ...problem }));
    expect(await read(name)).toEqual(found);
  });
});

describe('a request to an upstream', () => {
  const call: SourceCall = { requestId: ORDER_ID, signal: new AbortController().signal };

  it('has the key of the upstream, the ID of the request and the filters', async () => {
    upstream.setAnswer(200, JSON.stringify(minutes));
    upstream.requests.length = 0;
    const query = { ...points, untilUs: points.fromUs + 500_000, provider: 'oura' };
    await sourceAt(upstream.url).getTimeseries(TEAM, query, call);
    const [sent] = upstream.requests;
    expect(sent?.url).toBe(
      `/v2/timeseries/${USER_ID}/mindfulness_minutes/grouped?start_date=2025-01-01T00%3A00%3A00Z&end_date=2025-01-01T00%3A00%3A00.500000Z&provider=oura`,
    );
    expect(sent?.headers).toMatchObject({ 'x-service-api-key': KEY, 'x-request-id': ORDER_ID });
  });

  it('is not sent for IDs that are no segment of a path', async () => {
    upstream.requests.length = 0;
    for (const id of ['', '.', '..']) {
      expect(await sourceAt(upstream.url).findUserByClientId(TEAM, id)).toBeUndefined();
    }
    expect(upstream.requests).toHaveLength(0);
  });

  it('has a cursor of this upstream, or none is sent', async () => {
    const after = { startUs: 1, provider: 'oura', type: 'ring', endUs: 2 };
    const ofStore = sourceAt(upstream.url).getTimeseries(TEAM, { ...points, after });
    await expect(ofStore).rejects.toMatchObject({ kind: 'stale-cursor' });
    upstream.setAnswer(
      422,
      JSON.stringify({ errors: [{ parameter: 'next_cursor', reason: 'x' }] }),
    );
    const old = { ...points, after: { upstreamCursor: 'old' } };
    const refused = sourceAt(upstream.url).getTimeseries(TEAM, old);
    await expect(refused).rejects.toMatchObject({ kind: 'stale-cursor' });
  });

  it('is not sent to search people for callers who may not see orders', async () => {
    const search = { query: ofAmara, limit: 8, labs: false };
    const refused = sourceAt(upstream.url).searchPeople(TEAM, search);
    await expect(refused).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
