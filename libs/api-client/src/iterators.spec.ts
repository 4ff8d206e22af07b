import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { all, createClient, getFailure, USER_ID } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { CallOptions } from './call.ts';
import { AbortError, InvalidArgumentError, InvalidResponseError } from './errors/call-errors.ts';

const JUNE = { startDate: '2025-06-01', endDate: '2025-06-30' };
const source = { provider: 'oura', type: 'ring' };
const server = await TestServer.forSpec();
const client = createClient(server);

interface Page {
  readonly first: number;
  readonly size: number;
  readonly ids: readonly string[];
}

interface Iterator {
  readonly iterate: (size: number, options?: CallOptions) => AsyncIterable<unknown>;
  readonly idOf: (item: never) => unknown;
  /** Returns the first item and the size of the page that a query requests. */
  readonly place: (query: URLSearchParams, size: number) => { first: number; size: number };
  readonly page: (page: Page, count: number) => object;
}

const readNumber = (query: URLSearchParams, name: string): number => Number(query.get(name));

const ITERATORS: Readonly<Record<string, Iterator>> = {
  'users.iterate': {
    iterate: (pageSize, options) => client.users.iterate({ pageSize }, options),
    idOf: ({ user_id: id }: { user_id: string }) => id,
    place: (query) => ({ first: readNumber(query, 'offset'), size: readNumber(query, 'limit') }),
    page: ({ first, size, ids }, total) => ({
      ...{ users: ids.map((user_id) => ({ user_id })), total, offset: first, limit: size },
    }),
  },
  ...Object.fromEntries(
    [true, false].map((tellsTotal) => [
      tellsTotal ? 'orders.iterate' : 'orders.iterate without a total',
      {
        iterate: (pageSize, options) => client.orders.iterate({ pageSize }, options),
        idOf: ({ id }: { id: string }) => id,
        place: (query) => {
          const size = readNumber(query, 'size');
          return { size, first: (readNumber(query, 'page') - 1) * size };
        },
        page: ({ first, size, ids }, count) => ({
          ...{ orders: ids.map((id) => ({ id })), total: tellsTotal ? count : null },
          ...{ page: first / size + 1, size },
        }),
      } satisfies Iterator,
    ]),
  ),
  ...Object.fromEntries(
    ['next_cursor', 'next'].map((field) => [
      `mindfulnessMinutes.points by ${field}`,
      {
        iterate: (_size, options) =>
          client.timeseries.mindfulnessMinutes.points(USER_ID, JUNE, options),
        idOf: ({ point }: { point: { start: string } }) => point.start,
        place: (query, size) => ({ size, first: readNumber(query, 'next_cursor') }),
        page: ({ first, size, ids }, count) => ({
          groups: { oura: [{ data: ids.map((start) => ({ start })), source }], garmin: [] },
          [field]: first + size < count ? String(first + size) : null,
        }),
      } satisfies Iterator,
    ]),
  ),
};

/** Serves `count` items in pages of limited size. */
function serve({ place, page }: Iterator, count: number, size: number, most = 500): void {
  server.answer = (request, response) => {
    const query = new URL(request.url ?? '', server.url).searchParams;
    const { first, size: requestedSize } = place(query, size);
    const end = Math.min(count, first + Math.min(requestedSize, most));
    const ids = Array.from({ length: Math.max(0, end - first) }, (_, n) => `i${first + n}`);
    response.end(JSON.stringify(page({ first, size: Math.min(requestedSize, most), ids }, count)));
  };
}

async function idsOf(iterator: Iterator, size: number): Promise<unknown[]> {
  return (await all(iterator.iterate(size))).map((item) => iterator.idOf(item as never));
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `i${n}`);

describe.each(Object.entries(ITERATORS))('%s', (name, iterator) => {
  it('gives each item once, for any number and page size, in no more requests than needed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 50 }), async (count, size) => {
        server.targets.length = 0;
        serve(iterator, count, size);
        expect(await idsOf(iterator, size)).toEqual(numbered(count));
        const most = Math.max(1, Math.ceil(count / size)) + (name.includes('without') ? 1 : 0);
        expect(server.targets.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 12 },
    );
  });

  it('asks for a page when the loop gets there, and stops within one when the caller aborts', async () => {
    serve(iterator, 50, 10);
    const controller = new AbortController();
    let seen = 0;
    const loop = async (): Promise<void> => {
      for await (const item of iterator.iterate(10, { signal: controller.signal })) {
        expect(item).toBeDefined();
        seen += 1;
        if (seen === 3) controller.abort();
      }
    };
    expect(await getFailure(loop())).toBeInstanceOf(AbortError);
    expect([seen, server.targets.length]).toEqual([3, 1]);
  });

  it('refuses a server that gives the same page again', async () => {
    server.json(iterator.page({ first: 0, size: 1, ids: ['i0'] }, 3));
    expect(await getFailure(all(iterator.iterate(1)))).toBeInstanceOf(InvalidResponseError);
    expect(server.targets).toHaveLength(2);
  });
});

describe('users.iterate', () => {
  it('loses nobody when the server gives smaller pages than asked, or ends before its total', async () => {
    const users = ITERATORS['users.iterate']!;
    serve(users, 10, 100, 3);
    expect(await idsOf(users, 100)).toEqual(numbered(10));
    server.json({ users: [], total: 3, offset: 0, limit: 1 });
    expect(await getFailure(idsOf(users, 1))).toBeInstanceOf(InvalidResponseError);
  });
});

describe('a page that cannot be', () => {
  const { users, orders } = createClient({ url: 'http://127.0.0.1:1' } as TestServer);
  it.each<[argument: string, values: number[], ask: (value: number) => Promise<unknown>]>([
    ['pageSize', [0, 501, 1.5], (pageSize) => all(users.iterate({ pageSize }))],
    ['pageSize', [0, 101], (pageSize) => all(orders.iterate({ pageSize }))],
    ['timeoutMs', [0, 2 ** 31], (timeoutMs) => users.list({}, { timeoutMs })],
    ['limit', [501], (limit) => users.list({ limit })],
    ['offset', [-1], (offset) => users.list({ offset })],
    ['page', [0], (page) => orders.list({ page })],
    ['size', [101], (size) => orders.list({ size })],
  ])('is refused before a request: %s %j', async (argument, values, ask) => {
    for (const value of values) {
      const error = await getFailure(ask(value));
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect([value, error]).toMatchObject([value, { argument }]);
    }
  });
});

describe('mindfulnessMinutes', () => {
  const minutes = () => client.timeseries.mindfulnessMinutes;

  it('gives points with provider and source, and resumed at any cursor exactly the rest', async () => {
    serve(ITERATORS['mindfulnessMinutes.points by next_cursor']!, 7, 2);
    const points = await all(minutes().points(USER_ID, { ...JUNE, nextCursor: '4' }));
    expect(points).toEqual(
      ['i4', 'i5', 'i6'].map((start) => ({ provider: 'oura', source, point: { start } })),
    );
  });

  it.each([
    ['its own', ['c1', 'c1'], undefined],
    ['an earlier', ['c1', 'c2', 'c1'], undefined],
    ['the cursor that it was resumed from', ['c9'], 'c9'],
  ])('refuses a page that answers %s cursor, and gives no page twice', async (_, cursors, from) => {
    server.answer = (_request, response) => {
      const next_cursor = cursors[server.targets.length - 1] ?? 'c1';
      response.end(JSON.stringify({ groups: {}, next_cursor }));
    };
    const got: unknown[] = [];
    const loop = async (): Promise<void> => {
      for await (const page of minutes().pages(USER_ID, { ...JUNE, nextCursor: from })) {
        got.push(page);
      }
    };
    expect(await getFailure(loop())).toBeInstanceOf(InvalidResponseError);
    expect([got.length, server.targets.length]).toEqual([cursors.length - 1, cursors.length]);
  });

  it.each([
    ...['', 7, {}, false].map((cursor) => ({ groups: {}, next_cursor: cursor })),
    { groups: { oura: {} } },
    { groups: { oura: [{ source: {} }] } },
    { groups: { oura: [{ data: {}, source: {} }] } },
    { groups: [] },
    {},
  ])('refuses the answer %j', async (body) => {
    server.json(body);
    const error = await getFailure(all(minutes().points(USER_ID, JUNE)));
    expect(error).toBeInstanceOf(InvalidResponseError);
  });

  it.each([
    ['no startDate', {}],
    ['an empty startDate', { startDate: '' }],
    ['a Date', { startDate: new Date(0) }],
    ['an empty endDate', { startDate: '2025-06-01', endDate: '' }],
    ['an empty cursor', { startDate: '2025-06-01', nextCursor: '' }],
  ])('refuses %s before a request', async (_, query) => {
    const call = minutes().grouped(USER_ID, query as typeof JUNE);
    expect(await getFailure(call)).toBeInstanceOf(InvalidArgumentError);
    expect(server.targets).toEqual([]);
  });
});
