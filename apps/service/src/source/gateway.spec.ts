import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { ImportEnvelope } from '@caregate/domain';
import {
  edgeCaseEnvelopes,
  personas,
  otherTeamId,
  sampleEnvelopes,
  sampleTeamId,
} from '@caregate/sample-data';
import { testService, type Answer, startSpecService } from '../testing/service.testing.ts';
import { PointCursors } from '../timeseries/point-cursors.ts';
import {
  CANARY,
  FaultyUpstream,
  KEY,
  list,
  LIST,
  RESOLVE,
  RESULT,
  createUpstreams,
} from '@caregate/data-store/testing';
import { until } from '../testing/until.testing.ts';
import { bodiesIn, bodyAt } from '../audit/records.testing.ts';

const envelopes: readonly ImportEnvelope[] = [
  ...sampleEnvelopes({ users: 7 }),
  ...edgeCaseEnvelopes(),
];
/** The gateway's own store has people of another team, and one of the upstream's team, who must never be returned. */
const storeEnvelopes: readonly ImportEnvelope[] = [
  ...sampleEnvelopes({ users: 5, teamId: otherTeamId }),
  ...sampleEnvelopes({ users: 1, first: 900, kinds: ['user'] }),
];
const usersOf = (all: readonly ImportEnvelope[]) =>
  all.flatMap((envelope) => (envelope.kind === 'user' ? [envelope.user] : []));
const minutesOf = (userId: string): string =>
  `/v2/timeseries/${userId}/mindfulness_minutes/grouped`;

const upstream = await startSpecService(envelopes, { limits: { pageSize: 7 } });
const direct = await upstream.key(sampleTeamId);
const gateway = await startSpecService(storeEnvelopes, {
  upstreams: createUpstreams(sampleTeamId, `http://127.0.0.1:${upstream.port}`, direct),
});
const key = await gateway.key(sampleTeamId);
const otherKey = await gateway.key(otherTeamId);

/** Sends the same request through the gateway and directly to the upstream. */
async function both(path: string): Promise<{ through: Answer; itself: Answer }> {
  const [through, itself] = await Promise.all([gateway.get(path, key), upstream.get(path, direct)]);
  return { through, itself };
}

const withoutIds = ({ body }: Answer): string =>
  body.replace(/"request_id":"[0-9a-f-]{36}"/, '"request_id":"…"');

async function expectSame(path: string, status = 200): Promise<void> {
  const { through, itself } = await both(path);
  expect(through.status).toBe(status);
  expect(itself.status).toBe(status);
  expect(withoutIds(through)).toBe(withoutIds(itself));
  expect(through.headers['content-type']).toBe(itself.headers['content-type']);
}

describe('through the gateway', () => {
  it('every user is resolved to the same bytes, whatever the client id holds', async () => {
    for (const { client_user_id } of usersOf(envelopes)) {
      await expectSame(`/v2/user/resolve/${encodeURIComponent(client_user_id)}`);
    }
  });

  it('insurances and results are the same bytes, absent ones the same 404', async () => {
    for (const { user_id } of usersOf(envelopes)) {
      for (const sort of ['', '?is_primary=false']) {
        const path = `/v2/user/${user_id}/insurance/latest${sort}`;
        const { status } = await upstream.get(path, direct);
        await expectSame(path, status);
      }
    }
    for (const envelope of envelopes) {
      if (envelope.kind === 'lab_result') {
        await expectSame(`/v3/order/${envelope.order_id}/result`);
      }
    }
    await expectSame('/v3/order/00000000-0000-4000-8000-000000000000/result', 404);
    await expectSame('/v2/user/00000000-0000-4000-8000-000000000000/insurance/latest', 404);
    await expectSame('/v2/user/resolve/nobody', 404);
    await expectSame(
      `${minutesOf('00000000-0000-4000-8000-000000000000')}?start_date=2025-01-01`,
      404,
    );
  });

  it.each([
    'start_date=2020-01-01',
    'start_date=2026-10-01&end_date=2026-10-31',
    'start_date=2026-10-20T06:30:00.25%2B02:00&provider=oura',
  ])('pages of %p are the same bytes but for the cursor, to the last', async (query) => {
    for (const { userId } of [personas.wren, personas.amara]) {
      const cursors = { through: '', itself: '' };
      let pages = 0;
      do {
        const path = `${minutesOf(userId)}?${query}`;
        const through = await gateway.get(path + cursors.through, key);
        const itself = await upstream.get(path + cursors.itself, direct);
        expect(through.status).toBe(200);
        const next = (answer: Answer): string =>
          (answer.json() as { next_cursor: string | null }).next_cursor ?? '';
        const plain = (answer: Answer): string =>
          next(answer) === '' ? answer.body : answer.body.replaceAll(next(answer), '…');
        expect(plain(through)).toBe(plain(itself));
        expect(next(through) === '').toBe(next(itself) === '');
        if (next(itself) !== '') {
          expect(Buffer.from(next(through), 'base64url').toString('latin1')).not.toContain(
            next(itself),
          );
        }
        cursors.through = next(through) === '' ? '' : `&next_cursor=${next(through)}`;
        cursors.itself = next(itself) === '' ? '' : `&next_cursor=${next(itself)}`;
        pages += 1;
      } while (cursors.itself !== '');
      expect(pages).toBeGreaterThan(0);
    }
  });

  it.each([
    ...['', '?limit=5', '?offset=7&limit=9', '?offset=100000', '?limit=500'].map(
      (query) => `/v2/user/${query}`,
    ),
    `/v2/user/${personas.amara.userId}/info/latest`,
    '/v3/orders?size=7&page=2',
    '/v3/orders?patient_name=amara&order_direction=asc',
    '/v3/orders?status=completed&status=corrected&size=3',
    `/v3/orders?order_ids=${personas.amara.orderIds[0]}&order_ids=${personas.amara.orderIds[1]}`,
    '/v3/orders?start_date=2026-01-01&end_date=2026-03-01T12:00:00Z',
    `/desk/orders/${personas.amara.orderIds[1]}/history`,
  ])('%s is the same bytes', async (path) => {
    await expectSame(path);
  });

  it('people are searched by their orders, which the answer says', async () => {
    for (const text of ['okonk ama', 'amara', '1985-03-07', personas.amara.userId]) {
      const answer = await gateway.post('/desk/people/search', key, { text });
      expect([text, answer.json()]).toMatchObject([
        text,
        {
          searched: 'orders',
          people: expect.arrayContaining([
            expect.objectContaining({ user_id: personas.amara.userId, name_source: 'order' }),
          ]),
        },
      ]);
    }
    const none = await gateway.post('/desk/people/search', key, { text: 'milo quist' });
    expect(none.json()).toMatchObject({ people: [], searched: 'orders' });
  });

  it('a role sees of the list what it would see at the upstream', async () => {
    const masked = await gateway.get('/v2/user/', await gateway.key(sampleTeamId, 'front_desk'));
    const same = await upstream.get('/v2/user/', await upstream.key(sampleTeamId, 'front_desk'));
    expect(masked.body).toBe(same.body);
    const denied = await gateway.get(
      `/v2/user/${personas.amara.userId}/insurance/latest`,
      await gateway.key(sampleTeamId, 'auditor'),
    );
    expect(denied.status).toBe(403);
  });
});

describe('a cursor through the gateway', () => {
  const path = `${minutesOf(personas.wren.userId)}?start_date=2020-01-01`;

  it('of the store is refused by an upstream, and the other way round', async () => {
    const cursors = new PointCursors(gateway.access, { pageSize: 10 });
    const scope = { userId: personas.wren.userId, fromUs: Date.parse('2020-01-01') * 1000 };
    const ofStore = await cursors.seal(
      { startUs: 1, provider: 'oura', type: 'ring', endUs: 2 },
      { ...scope, teamId: sampleTeamId },
    );
    const ofUpstream = await cursors.seal(
      { upstreamCursor: 'abc' },
      { ...scope, teamId: otherTeamId },
    );
    for (const [cursor, reader] of [
      [ofStore, key],
      [ofUpstream, otherKey],
    ] as const) {
      const answer = await gateway.get(`${path}&next_cursor=${cursor}`, reader);
      expect(answer.status).toBe(422);
      expect(answer.json()).toMatchObject({
        errors: [
          { parameter: 'next_cursor', reason: 'is no longer valid; start again without it' },
        ],
      });
    }
  });
});

describe('one instance', () => {
  it("serves a team of the store beside it, and nothing of the store to the upstream's team", async () => {
    const [first] = usersOf(storeEnvelopes);
    const found = await gateway.get(`/v2/user/resolve/${first!.client_user_id}`, otherKey);
    expect(found.json()).toEqual(first);
    const hidden = usersOf(storeEnvelopes).find(({ team_id }) => team_id === sampleTeamId)!;
    const path = `/v2/user/resolve/${hidden.client_user_id}`;
    expect((await gateway.get(path, key)).status).toBe(404);
    expect((await gateway.get(path, otherKey)).status).toBe(404);
    expect((await gateway.get(path, direct)).status).toBe(401);
    const list = (await gateway.get('/v2/user/', otherKey)).json() as { total: number };
    expect(list.total).toBe(5);
  });

  it('records reads of an upstream: patients where it tells them, else the order alone', async () => {
    const [orderId] = personas.teodoro.orderIds;
    const result = await gateway.get(`/v3/order/${orderId!}/result`, key);
    const insurance = await gateway.get(`/v2/user/${personas.amara.userId}/insurance/latest`, key);
    const recorded = (answer: Answer): unknown => bodyAt(gateway.folder, gateway.readSeq(answer));
    const [ofResult, ofInsurance] = [recorded(result), recorded(insurance)];
    expect(ofResult).toMatchObject({
      operation: 'labOrderResult',
      decision: 'allowed',
      order_id: orderId,
      patients: [],
      record_count: 1,
    });
    expect(ofInsurance).toMatchObject({ decision: 'allowed', patients: [personas.amara.userId] });
    expect(JSON.stringify(bodiesIn(gateway.folder)) + gateway.log.join('')).not.toContain(direct);
  });

  it('offers no FHIR for a team of an upstream, which does not say when something changed', async () => {
    const paths = ['Patient', ...['Coverage', 'Observation'].map((type) => `${type}?patient=x`)];
    const user = personas.amara.userId;
    for (const path of [...paths, `Patient/${user}`].map((each) =>
      each.replace('=x', `=${user}`),
    )) {
      const answer = await gateway.get(`/fhir/r4/${path}`, key);
      expect([path, answer.status === 501 || path === 'Patient']).toEqual([path, true]);
    }
  });
});

const faulty = await FaultyUpstream.start();
const service = await startSpecService(storeEnvelopes, {
  limits: { upstreamMs: 600 },
  upstreams: createUpstreams(sampleTeamId, faulty.url, KEY),
});
const reader = await service.key(sampleTeamId);
afterAll(() => faulty.stop());

describe('an upstream that fails', () => {
  it.each<[string, number, string, Record<string, string>, number, string]>([
    [RESOLVE, 500, CANARY, {}, 502, 'bad-upstream'],
    [RESULT, 429, CANARY, { 'retry-after': '17' }, 503, 'unavailable'],
    [LIST, 504, CANARY, { 'retry-after': '17' }, 504, 'timeout'],
    ['/v3/orders', 404, CANARY, {}, 501, 'not-offered'],
  ])(
    'is a problem without its words: %s, %s',
    async (path, status, body, headers, becomes, type) => {
      faulty.setAnswer(status, body, headers);
      const answer = await service.get(path, reader);
      expect(answer.json()).toMatchObject({ status: becomes, type: `/problems/${type}` });
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.headers['retry-after']).toBe(becomes === 503 ? '17' : undefined);
      expect(answer.headers['x-audit-record-id']).toBeDefined();
      const output = `${JSON.stringify(answer.headers)}${answer.body}${service.log.join('')}`;
      for (const secret of [CANARY, KEY, new URL(faulty.url).host]) {
        expect(output).not.toContain(secret);
      }
    },
  );

  it('gets our request ID, and nothing of the caller', async () => {
    faulty.setAnswer(200, JSON.stringify(list()));
    faulty.requests.length = 0;
    const headers = { cookie: CANARY, 'x-request-id': CANARY };
    const answer = await service.get(LIST, reader, headers);
    const [sent] = faulty.requests;
    expect(sent?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
    expect(JSON.stringify(sent?.rawHeaders)).not.toMatch(new RegExp(`${CANARY}|${reader}`, 'u'));
  });

  it('is given up when the caller disconnects', async () => {
    let requested = false;
    let dropped = false;
    faulty.answer = (_request, response) => {
      requested = true;
      response.on('close', () => (dropped = true));
    };
    const controller = new AbortController();
    const read = fetch(`http://127.0.0.1:${service.port}${RESOLVE}`, {
      headers: { 'x-service-api-key': reader },
      signal: controller.signal,
    }).catch(() => 'aborted');
    await until(() => requested);
    controller.abort();
    expect(await read).toBe('aborted');
    await until(() => dropped);
  });

  it('makes the service degraded while its circuit is open, without a name; a team of the store does not notice', async () => {
    expect((await service.get('/readyz')).json()).toEqual({ status: 'ready' });
    faulty.setAnswer(500, CANARY);
    await until(async () => (await service.get(RESOLVE, reader)).status === 503);
    const ready = await service.get('/readyz');
    expect([ready.status, ready.json()]).toEqual([
      200,
      {
        status: 'degraded',
        detail: 'An upstream is failing; requests of its teams are answered with 503.',
      },
    ]);
    const other = await service.key(otherTeamId);
    expect((await service.get(LIST, other)).status).toBe(200);
  });
});

it('never takes an answer that a proxy sent twice for the answer to the next read', async () => {
  const proxy = createServer((socket) => {
    let before = '';
    socket.on('error', () => undefined);
    socket.on('data', (request) => {
      const body = `{"metadata":{"laboratory":"of ${/order\/(?<id>[^/]+)/u.exec(String(request))?.groups?.['id'] ?? ''}"},"results":[]}`;
      const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      socket.write(before + answer);
      before = answer;
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const service = await testService([], { upstreams: createUpstreams(sampleTeamId, url, KEY) });
  try {
    const reader = await service.key(sampleTeamId);
    for (const id of [randomUUID(), randomUUID(), randomUUID()]) {
      const { body } = await service.get(`/v3/order/${id}/result`, reader);
      expect(body).toBe(`{"metadata":{"laboratory":"of ${id}"},"results":[]}`);
    }
  } finally {
    await service.close();
    proxy.close();
  }
});
