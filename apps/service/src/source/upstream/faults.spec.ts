import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { otherTeamId } from '@caregate/sample-data';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, TestService } from '../../testing/service.testing.ts';
import {
  CANARY,
  INSURANCE,
  KEY,
  LIST,
  MINUTES,
  ORDER_ID,
  PATHS,
  RESOLVE,
  RESULT,
  insurance,
  list,
  minutes,
  user,
  FaultyUpstream,
  type Answering,
} from '@caregate/data-store/testing';
import { gatewayTo } from './gateway.testing.ts';

let upstream: FaultyUpstream;
let service: TestService;
let key: string;

beforeAll(async () => {
  upstream = await FaultyUpstream.start();
});
afterAll(async () => {
  await upstream.stop();
});

function expectProblem(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(answer.headers['x-audit-record-id']).toBeDefined();
  expectNoLeak(answer);
}

function expectNoLeak(answer: Answer): void {
  const said = `${JSON.stringify(answer.headers)}${answer.body}${service.log.join('')}`;
  for (const secret of [CANARY, KEY, new URL(upstream.url).host]) {
    expect(said).not.toContain(secret);
  }
}

/** Right answers between the cases keep the circuit breaker closed. */
async function keepBreakerClosed(): Promise<void> {
  upstream.says(200, JSON.stringify(list()));
  for (let ask = 0; ask < 6; ask += 1) {
    await service.get(LIST, key);
  }
}

describe('an upstream that fails', () => {
  // A service of its own: a breaker that one fault opened must not answer the next.
  beforeAll(async () => {
    ({ service, key } = await gatewayTo(upstream.url));
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await keepBreakerClosed();
    // Retries without waiting.
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['HTML with status 200', 200, `<html>${CANARY}</html>`, {}, 502],
    ['half of a JSON text', 200, `{"user_id":"${CANARY}`, {}, 502],
    ['an empty answer', 200, '', {}, 502],
    ['null', 200, 'null', {}, 502],
    ['another shape', 200, `{"x":"${CANARY}"}`, {}, 502],
    ['a redirect', 302, '', { location: `http://${CANARY}.example/` }, 502],
    ['a redirect with status 308', 308, '', { location: '/v2/user/' }, 502],
    ['no content', 204, '', {}, 502],
    ['400', 400, `{"detail":"${CANARY}"}`, {}, 502],
    ['401: our key is refused', 401, `{"detail":"${CANARY}"}`, { 'x-hint': CANARY }, 502],
    ['403', 403, `{"detail":"${CANARY}"}`, {}, 502],
    ['422', 422, `{"detail":[{"loc":["query","limit"],"msg":"${CANARY}"}]}`, {}, 502],
    ['429', 429, `{"detail":"${CANARY}"}`, { 'retry-after': '17' }, 503],
    ['429 for a day', 429, '', { 'retry-after': '86400' }, 503],
    ['500', 500, CANARY, {}, 502],
    ['502', 502, `<html>${CANARY}</html>`, {}, 502],
    ['503', 503, CANARY, { 'retry-after': CANARY }, 503],
    ['504', 504, CANARY, {}, 504],
    ['a 404 in HTML, as of a wrong address', 404, `<html>${CANARY}</html>`, {}, 502],
  ])(
    'is told as a problem without its words: %s',
    async (_what, status, body, headers, becomes) => {
      upstream.says(status, body, headers);
      for (const path of [RESOLVE, RESULT]) {
        const answer = await service.get(path, key);
        expectProblem(answer, becomes);
        if (becomes === 503) {
          const asked = Number((headers as Record<string, string>)['retry-after']);
          const waits = Number.isNaN(asked) ? 5 : Math.min(asked, 3600);
          expect(answer.headers['retry-after']).toBe(String(waits));
        }
      }
    },
  );

  it.each([
    ['another user than asked', RESOLVE, user('patient-2')],
    ['the user in another case', RESOLVE, user('Patient-1')],
    ['another page than asked', '/v2/user/?offset=10', list()],
    [
      'more users than asked',
      '/v2/user/?limit=1',
      list({ users: [user('a'), user('b', ORDER_ID)], total: 2, limit: 1 }),
    ],
    ['a user twice', LIST, list({ users: [user('a'), user('b')], total: 2 })],
    [
      'users of two teams',
      LIST,
      list({ users: [user('a'), user('b', ORDER_ID, ORDER_ID)], total: 2 }),
    ],
    ['a limit above what was asked', '/v2/user/?limit=2', list({ limit: 3 })],
    ['an insurance without its fields', INSURANCE, { ...insurance, member_id: undefined }],
    ['a result with a wrong date', RESULT, { metadata: { date_reported: 'x' }, results: [] }],
    [
      'an age in words and a wrong date',
      RESULT,
      { metadata: { age: '41', date_reported: 'x' }, results: [] },
    ],
    [
      'points in hours',
      MINUTES,
      {
        groups: {
          a: [
            {
              source: { provider: 'a', type: 'b' },
              data: [
                { start: '2025-01-01T00:00:00Z', end: '2025-01-01T00:00:00Z', unit: 'h', value: 1 },
              ],
            },
          ],
        },
      },
    ],
    ['a cursor too long to pass on', MINUTES, { ...minutes, next_cursor: 'x'.repeat(4097) }],
  ])('in what it answers is a 502: %s', async (_what, path, body) => {
    upstream.says(200, JSON.stringify(body));
    expectProblem(await service.get(path, key), 502);
  });

  it('a list that is not found is a 502: every team has one', async () => {
    upstream.says(404, '{"detail":"Not Found"}');
    expectProblem(await service.get(LIST, key), 502);
  });

  it('a team of the store does not notice', async () => {
    upstream.says(500, CANARY);
    const other = await service.key(otherTeamId);
    expect((await service.get(LIST, other)).status).toBe(200);
  });
});

describe('an upstream that is slow', () => {
  beforeAll(async () => {
    ({ service, key } = await gatewayTo(upstream.url, 600));
  });
  afterAll(() => service.close());

  it.each(PATHS)('is a 504: %s', async (path) => {
    // It never ends: only the gateway's own limit can.
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(`{"a":"${CANARY}`);
    };
    expectProblem(await service.get(path, key), 504);
  });
});

describe('a connection to the upstream', () => {
  const body = JSON.stringify(user('patient-1'));
  let failures = 0;

  beforeAll(async () => {
    ({ service, key } = await gatewayTo(upstream.url));
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await keepBreakerClosed();
    upstream.requests.length = 0;
  });

  function failThenAnswer(fail: Answering, times: number): void {
    failures = times;
    upstream.answer = (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (failures > 0) fail(request, response);
      else response.end(body);
      failures -= 1;
    };
  }

  it.each<[string, Answering]>([
    ['before the answer', (_request, response) => void response.destroy()],
    [
      'in the body',
      (_request, response) => {
        response.writeHead(200, { 'content-length': body.length });
        response.write(body.slice(0, 9), () => response.destroy());
      },
    ],
    ['by what is not HTTP', (request) => void request.socket.end('garbage\r\n\r\n')],
  ])('that is cut %s is asked again', async (_where, cut) => {
    failThenAnswer(cut, 2);
    const answer = await service.get(RESOLVE, key);
    expect([answer.status, upstream.requests.length]).toEqual([200, 3]);
  });

  it('that brings the answer in pieces, in time, is waited for', async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body.slice(0, 9));
      setTimeout(() => response.end(body.slice(9)), 50);
    };
    const answer = await service.get(RESOLVE, key);
    expect([answer.status, answer.body, upstream.requests.length]).toEqual([200, body, 1]);
  });
});

describe('an upstream that is down', () => {
  it('is waited for while it restarts: every read is answered', async () => {
    const before = await FaultyUpstream.start();
    const { url, port } = before;
    before.says(200, JSON.stringify(list()));
    ({ service, key } = await gatewayTo(url));
    expect((await service.get(LIST, key)).status).toBe(200);
    await before.stop();
    const reads = Array.from({ length: 12 }, () => service.get(LIST, key));
    await sleep(1000);
    const after = await FaultyUpstream.start(port);
    after.says(200, JSON.stringify(list()));
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service.get('/readyz')).json()).toEqual({ status: 'ready' });
    await service.close();
    await after.stop();
  });

  it('ends in 502, and in 503 while its circuit is open, which readyz tells without a name', async () => {
    const none = await FaultyUpstream.start();
    const { url } = none;
    await none.stop();
    ({ service, key } = await gatewayTo(url, 600));
    expect((await service.get('/readyz')).json()).toEqual({ status: 'ready' });
    const statuses: number[] = [];
    while (statuses.at(-1) !== 503) {
      const answer = await service.get(RESOLVE, key);
      expectProblem(answer, answer.status);
      statuses.push(answer.status);
      if (answer.status === 503) {
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    }
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([502]));
    const ready = await service.get('/readyz');
    expect(ready.status).toBe(200);
    expect(ready.json()).toEqual({
      status: 'degraded',
      detail: 'An upstream is failing; requests of its teams are answered with 503.',
    });
    const other = await service.key(otherTeamId);
    expect((await service.get(LIST, other)).status).toBe(200);
    await service.close();
  });
});
