import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { NO_RESULT } from '@caregate/domain';
import { FakeClock } from '../testing/fake-clock.ts';
import { createClient, getFailure, USER_ID } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { NotFoundError } from './errors/api-errors.ts';
import { AbortError, InvalidArgumentError, TimeoutError } from './errors/call-errors.ts';
import type { WaitOptions } from './orders.ts';
import type { TransportResponse } from './transport/transport.ts';

const server = await TestServer.forSpec();
const client = createClient(server);

describe('orders.list', () => {
  it('asks /v3/orders with every condition that is given, and lists as repeated parameters', async () => {
    const page = { orders: [], total: 3, page: 1, size: 50 };
    server.json(page);
    expect(await client.orders.list()).toEqual(page);
    await client.orders.list({
      ...{ userId: USER_ID, patientName: 'Okonkwo & Söhne', searchInput: '1986-04-12' },
      ...{ startDate: '2026-01-01', endDate: '2026-02-01', updatedStartDate: '2026-01-02' },
      ...{ updatedEndDate: '2026-02-02', status: ['completed', 'corrected'], page: 2, size: 10 },
      ...{ interpretation: 'critical', orderKey: 'patient_name', orderDirection: 'asc' },
      ...{ orderIds: [USER_ID], provider: undefined },
    });
    const [first, second = ''] = server.targets;
    expect(first).toBe('/v3/orders');
    const url = new URL(second, server.url);
    expect([...url.searchParams]).toEqual([
      ['user_id', USER_ID],
      ['patient_name', 'Okonkwo & Söhne'],
      ['search_input', '1986-04-12'],
      ['start_date', '2026-01-01'],
      ['end_date', '2026-02-01'],
      ['updated_start_date', '2026-01-02'],
      ['updated_end_date', '2026-02-02'],
      ['status', 'completed'],
      ['status', 'corrected'],
      ['page', '2'],
      ['size', '10'],
      ['interpretation', 'critical'],
      ['order_key', 'patient_name'],
      ['order_direction', 'asc'],
      ['order_ids', USER_ID],
    ]);
  });
});

describe('people.search', () => {
  const found = { people: [], searched: 'people', total: 0, more: false };
  const requests: { method: string | undefined; type: string | undefined; body: string }[] = [];

  beforeEach(() => {
    requests.length = 0;
    server.answer = (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        requests.push({ method: request.method, type: request.headers['content-type'], body });
        response.end(JSON.stringify(found));
      });
    };
  });

  it('sends the text in the body, and nothing of it in the address', async () => {
    expect(await client.people.search('Ökonkwo "ama"')).toEqual(found);
    await client.people.search('okonkwo', 20);
    expect(server.targets).toEqual(['/desk/people/search', '/desk/people/search']);
    const type = 'application/json';
    expect(requests).toEqual([
      { method: 'POST', type, body: '{"text":"Ökonkwo \\"ama\\""}' },
      { method: 'POST', type, body: '{"text":"okonkwo","limit":20}' },
    ]);
  });

  it('is given up when the next letter is typed, and says nothing of the text when it fails', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    server.answer = () => {
      controller.abort();
    };
    const aborted = await getFailure(client.people.search('okonkwo', undefined, { signal }));
    expect(aborted).toBeInstanceOf(AbortError);
    server.answer = (_, response) => response.writeHead(422).end('{"detail":"too short"}');
    const refused = await getFailure(client.people.search('okonkwo'));
    expect(refused).toMatchObject({ status: 422, route: 'POST /desk/people/search' });
    expect(JSON.stringify([aborted, refused]) + String(refused)).not.toContain('okonkwo');
  });

  it('is sent again after a 503, since a search changes nothing', async () => {
    let times = 0;
    server.answer = (_, response) => {
      times += 1;
      response.writeHead(times === 1 ? 503 : 200).end(JSON.stringify(found));
    };
    const again = createClient(server, { retries: { baseMs: 0 } });
    expect(await again.people.search('okonkwo')).toEqual(found);
    expect(times).toBe(2);
  });
});

describe('orders.waitForResult', () => {
  const order = '5d1f7c7e-4a0b-4b53-9a76-0a1f0d3c2b18';
  const awaited = (status?: string): TransportResponse => ({
    ...{ status: 404, headers: {} },
    body: JSON.stringify({ type: NO_RESULT, order_status: status }),
  });
  const done = { status: 200, headers: {}, body: '{"metadata":{},"results":[]}' };

  /** Creates a service with these responses, the last one repeated. Records the times of the requests in seconds. */
  function waiting(...answers: (TransportResponse | Error)[]) {
    const clock = new FakeClock();
    const at: number[] = [];
    const request = (): Promise<TransportResponse> => {
      at.push(clock.time / 1000);
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next!);
    };
    const { orders } = createClient(server, { clock, transport: { request } });
    return { at, clock, wait: (options?: WaitOptions) => orders.waitForResult(order, options) };
  }

  it('asks ever more rarely, to once a minute, until there is a result', async () => {
    const { at, clock, wait } = waiting(
      ...Array.from({ length: 9 }, () => awaited('received')),
      done,
    );
    clock.chance = () => 1;
    expect(await clock.finish(wait())).toEqual({ metadata: {}, results: [] });
    expect(at).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242, 302]);
  });

  it('waits a half to the whole of that, and always as long as Retry-After says', async () => {
    const busy = { status: 429, headers: { 'retry-after': '100' }, body: '' };
    const { at, clock, wait } = waiting(awaited(), busy, done);
    clock.chance = () => 0;
    await clock.finish(wait());
    expect(at).toEqual([0, 1, 103]);
  });

  it('goes on where the service is away for a while, but not where it never answered', async () => {
    const gone = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    const down = { status: 503, headers: {}, body: '' };
    const { at, clock, wait } = waiting(awaited(), gone, down, done);
    await clock.finish(wait());
    expect(at).toHaveLength(4);
    const never = waiting(gone, done);
    expect(await getFailure(never.wait())).toMatchObject({ code: 'ECONNREFUSED' });
    expect(never.at).toHaveLength(1);
  });

  it.each([
    ['there is no such order', { ...awaited(), body: '{"type":"/problems/not-found"}' }, undefined],
    ['the order was cancelled', awaited('cancelled'), 'cancelled'],
    ['it has failed', awaited('failed.testkit.lost'), 'failed.testkit.lost'],
    ['the key may not', { ...awaited(), status: 403 }, undefined],
  ])('ends where %s', async (_, refusal, orderStatus) => {
    const { at, clock, wait } = waiting(awaited('received'), refusal);
    const { status } = refusal;
    const error = await getFailure(clock.finish(wait()));
    expect(error).toMatchObject({ status });
    if (status === 404) expect((error as NotFoundError).orderStatus).toBe(orderStatus);
    expect(at).toHaveLength(2);
  });

  it('ends at its deadline, and when it is aborted, with no timer left', async () => {
    const { clock, wait } = waiting(awaited());
    const late = await getFailure(clock.finish(wait({ waitMs: 100_000 })));
    expect(late).toBeInstanceOf(TimeoutError);
    expect([late, clock.time]).toMatchObject([{ timeoutMs: 100_000 }, 100_000]);
    const caller = new AbortController();
    const aborted = getFailure(wait({ signal: caller.signal }));
    await clock.advance(5000);
    caller.abort();
    expect(await aborted).toBeInstanceOf(AbortError);
    await clock.advance(0);
    expect(clock.timers).toBe(0);
    expect(await getFailure(wait({ signal: AbortSignal.abort() }))).toBeInstanceOf(AbortError);
    expect(await getFailure(wait({ waitMs: 0 }))).toBeInstanceOf(InvalidArgumentError);
  });
});
