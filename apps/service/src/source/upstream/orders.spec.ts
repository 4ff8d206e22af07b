import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOT_OFFERED } from '@caregate/domain';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type TestService } from '../../testing/service.testing.ts';
import {
  CANARY,
  FaultyUpstream,
  ORDER_ID,
  result,
  upstreamOf,
  USER_ID,
} from '@caregate/data-store/testing';
import { gatewayTo } from './gateway.testing.ts';

const { amara, milo } = personas;
const kinds = ['user', 'user_info', 'order', 'lab_result'] as const;

describe('through the gateway', () => {
  let upstream: TestService;
  let gateway: TestService;
  let direct: string;
  let key: string;

  beforeAll(async () => {
    upstream = await testService(sampleEnvelopes({ users: 30, kinds }));
    direct = await upstream.key(sampleTeamId);
    const url = `http://127.0.0.1:${upstream.port}`;
    gateway = await testService([], { upstreams: upstreamOf(sampleTeamId, url, direct) });
    key = await gateway.key(sampleTeamId, 'front_desk');
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  it.each([
    `/v2/user/${amara.userId}/info/latest`,
    '/v3/orders?size=7&page=2',
    '/v3/orders?patient_name=amara&order_direction=asc',
    '/v3/orders?status=completed&status=corrected&size=3',
    `/v3/orders?order_ids=${amara.orderIds[0]}&order_ids=${amara.orderIds[1]}`,
    '/v3/orders?start_date=2026-01-01&end_date=2026-03-01T12:00:00Z',
    `/desk/orders/${amara.orderIds[1]}/history`,
  ])('%s is the same', async (path) => {
    const [through, itself] = [await gateway.get(path, key), await upstream.get(path, direct)];
    expect([through.status, through.json()]).toEqual([200, itself.json()]);
  });

  it('who has no info has none', async () => {
    const { body } = await gateway.get(`/v2/user/${milo.userId}/info/latest`, key);
    expect(JSON.parse(body)).toMatchObject({ status: 404, type: '/problems/no-user-info' });
  });

  it('people are searched by their orders, which the answer says', async () => {
    for (const text of ['okonk ama', 'amara', '1985-03-07', amara.userId]) {
      const answer = await gateway.post('/desk/people/search', key, { text });
      expect([text, answer.json()]).toMatchObject([
        text,
        {
          searched: 'orders',
          people: expect.arrayContaining([
            expect.objectContaining({ user_id: amara.userId, name_source: 'order' }),
          ]),
        },
      ]);
    }
    const none = await gateway.post('/desk/people/search', key, { text: 'milo quist' });
    expect(none.json()).toMatchObject({ people: [], searched: 'orders' });
  });

  it('billing, which may not see orders, does not find people by them', async () => {
    const billing = await gateway.key(sampleTeamId, 'billing');
    const answer = await gateway.post('/desk/people/search', billing, { text: 'amara' });
    expect(answer.status).toBe(403);
  });
});

describe('an upstream', () => {
  const order = (over: object = {}): object => ({
    ...{ id: ORDER_ID, team_id: USER_ID, user_id: USER_ID, created_at: '2026-01-01T00:00:00Z' },
    ...over,
  });
  const page = (...orders: object[]): string =>
    JSON.stringify({ orders, total: orders.length, page: 1, size: 50 });
  let faulty: FaultyUpstream;
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    faulty = await FaultyUpstream.start();
    ({ service, key } = await gatewayTo(faulty.url));
  });
  afterAll(async () => {
    await service.close();
    await faulty.stop();
  });

  it.each([
    ['a 404 of its framework', 404, '{"detail":"Not Found"}'],
    ['a page of a proxy', 404, `<html>${CANARY}</html>`],
    ['another method', 405, '{"detail":"Method Not Allowed"}'],
  ])(
    'without a list of orders (%s) is said clearly, and ids work as before',
    async (_, status, body) => {
      faulty.answer = (request, response) => {
        const isResult = request.url?.endsWith('/result') === true;
        response.writeHead(isResult ? 200 : status, { 'content-type': 'application/json' });
        response.end(isResult ? JSON.stringify(result) : body);
      };
      const answers = [
        await service.get('/v3/orders', key),
        await service.get(`/desk/orders/${ORDER_ID}/history`, key),
        await service.post('/desk/people/search', key, { text: 'amara' }),
      ];
      for (const answer of answers) {
        expect(answer.json()).toMatchObject({ status: 501, type: NOT_OFFERED });
        expect(answer.body).not.toContain(CANARY);
      }
      expect((await service.get(`/v3/order/${ORDER_ID}/result`, key)).status).toBe(200);
    },
  );

  it.each([
    ['the same order twice', page(order(), order())],
    ['orders of two teams', page(order(), order({ id: USER_ID, team_id: ORDER_ID }))],
    ['another page', page(order()).replace('"page":1', '"page":2')],
    ['an order without an id', page({ team_id: USER_ID, user_id: USER_ID })],
    ['a total below zero', page(order()).replace('"total":1', '"total":-1')],
    ['no list', '{"items":[]}'],
  ])('that answers with %s answers wrongly', async (_, body) => {
    faulty.says(200, body);
    expect((await service.get('/v3/orders', key)).json()).toMatchObject({ status: 502 });
  });

  it('is not believed an order of another user than the one asked for', async () => {
    faulty.says(200, page(order()));
    const asked = await service.get(`/v3/orders?user_id=${ORDER_ID}`, key);
    expect(asked.json()).toMatchObject({ status: 502 });
  });
});
