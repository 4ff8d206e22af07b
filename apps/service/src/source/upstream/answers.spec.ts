import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_INSURANCE, NO_RESULT } from '@caregate/domain';
import type { TestService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import {
  CANARY,
  INSURANCE,
  KEY,
  LIST,
  MINUTES,
  RESOLVE,
  RESULT,
  USER_ID,
  insurance,
  list,
  minutes,
  user,
  FaultyUpstream,
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

describe('an upstream that answers', () => {
  beforeAll(async () => {
    ({ service, key } = await gatewayTo(upstream.url));
  });
  afterAll(() => service.close());

  it.each([
    ['an age as a string', RESULT, '{"metadata":{"age":"41"},"results":[]}'],
    [
      'digits that a number would lose',
      RESULT,
      '{"metadata":{"x":1.50},"results":[],"big":12345678901234567890}',
    ],
    [
      'unknown fields and blanks',
      INSURANCE,
      ` ${JSON.stringify({ ...insurance, other: { a: [1] } }, null, 2)}\n`,
    ],
    ['its own team id', RESOLVE, JSON.stringify(user('patient-1'))],
    ['unknown members of a list', LIST, JSON.stringify(list({ limit: 50, more: { x: 1 } }))],
  ])('is passed on as it is written: %s', async (_what, path, body) => {
    upstream.says(200, body);
    const answer = await service.get(path, key);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(body);
  });

  it.each([
    ['{"metadata":{"laboratory":5},"results":[]}', 'metadata.laboratory must be '],
    ['{"metadata":{},"results":[{"name":"Iron","slug":"iron"}]}', 'results[0].result is required'],
  ])('says which member of an answer is wrong: %s', async (body, where) => {
    upstream.says(200, body);
    const answer = await service.get(RESULT, key);
    expect(answer.status).toBe(502);
    expect((answer.json() as { detail: string }).detail).toContain(`: ${where}`);
  });

  it('keeps unknown members of a page of points, whose cursor it replaces', async () => {
    upstream.says(200, '{"groups":{},"more":1.0,"next":"an older name"}');
    const { body } = await service.get(MINUTES, key);
    expect(body).toMatch(/^\{"groups":\{\},"next":"[\w-]+","next_cursor":"[\w-]+","more":1\.0\}$/);
  });

  it('is asked with its own key, our request id and the filters, and with nothing of the caller', async () => {
    upstream.says(200, JSON.stringify(minutes));
    upstream.requests.length = 0;
    const path = `${MINUTES}&end_date=2025-01-31&provider=oura`;
    const answer = await service.get(path, key, { cookie: CANARY, 'x-request-id': CANARY });
    const [sent] = upstream.requests;
    expect(sent?.url).toBe(
      `/v2/timeseries/${USER_ID}/mindfulness_minutes/grouped?start_date=2025-01-01T00%3A00%3A00Z&end_date=2025-01-31T23%3A59%3A59Z&provider=oura`,
    );
    expect(sent?.headers).toMatchObject({
      'x-service-api-key': KEY,
      'x-request-id': answer.headers['x-request-id'],
    });
    expect(JSON.stringify(sent?.rawHeaders)).not.toMatch(new RegExp(`${CANARY}|${key}`));
  });

  it('is not asked for ids that are no part of a path', async () => {
    upstream.requests.length = 0;
    for (const id of ['.', '..', '%2e%2e']) {
      expect((await service.get(`/v2/user/resolve/${id}`, key)).status).toBe(404);
    }
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    ['of its type, in words of its own', { type: NO_INSURANCE, detail: 'Nada.' }, NO_INSURANCE],
    [
      'of another type, in our words',
      { type: '/problems/not-found', detail: 'This user has no primary insurance on record.' },
      '/problems/not-found',
    ],
  ])('says that a user has no insurance by a 404 %s', async (_what, problem, type) => {
    upstream.says(404, JSON.stringify({ title: 'No', status: 404, ...problem }));
    const answer = await service.get(INSURANCE, key);
    expect(answer.json()).toMatchObject({ type, status: 404 });
    expect(answer.body).not.toContain('Nada');
  });

  it('says where an order without a result is, and nothing else that it says', async () => {
    const says = async (more: object): Promise<unknown> => {
      upstream.says(404, JSON.stringify({ type: NO_RESULT, status: 404, title: CANARY, ...more }));
      const answer = await service.get(RESULT, key);
      expect(answer.body).not.toContain(CANARY);
      return answer.json();
    };
    const where = 'received.walk_in_test.ordered';
    const none = { status: 404, type: NO_RESULT };
    expect(await says({ order_status: where })).toMatchObject({ ...none, order_status: where });
    for (const order_status of [undefined, 5, `<b>${CANARY}</b>`, CANARY.repeat(20)]) {
      const problem = await says({ order_status });
      expect(problem).toMatchObject(none);
      expect(problem).not.toHaveProperty('order_status');
    }
  });

  it('is given up when the caller goes', async () => {
    let asked = false;
    let dropped = false;
    upstream.answer = (_request, response) => {
      asked = true;
      response.on('close', () => (dropped = true));
    };
    const controller = new AbortController();
    const gone = fetch(`http://127.0.0.1:${service.port}${RESOLVE}`, {
      headers: { 'x-service-api-key': key },
      signal: controller.signal,
    }).catch(() => 'gone');
    await until(() => asked);
    controller.abort();
    expect(await gone).toBe('gone');
    await until(() => dropped);
  });
});
