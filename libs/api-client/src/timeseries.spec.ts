import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { USER_ID, all, clientOf, failureOf } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { MindfulnessMinutes } from './timeseries.ts';
import { AbortError, InvalidArgumentError, InvalidResponseError } from './errors/call-errors.ts';

let server: TestServer;
let minutes: MindfulnessMinutes;
const JUNE = { startDate: '2025-06-01', endDate: '2025-06-30' };

beforeAll(async () => {
  server = await TestServer.start();
  minutes = clientOf(server).timeseries.mindfulnessMinutes;
});
afterAll(() => server.stop());
beforeEach(() => {
  server.targets.length = 0;
});

function pointAt(minute: number): unknown {
  const start = `2025-06-01T07:${String(minute).padStart(2, '0')}:00+05:30`;
  return { start, end: start, unit: 'min', value: minute };
}

/** Serves pages by cursor; `cursors[i]` is what page i answers, and the pages are found by it. */
function servePages(cursors: unknown[], field: 'next' | 'next_cursor' = 'next_cursor'): void {
  server.answer = (request, response) => {
    const cursor = new URL(request.url ?? '', server.url).searchParams.get('next_cursor');
    const at = cursor === null ? 0 : cursors.indexOf(cursor) + 1;
    const source = { provider: 'oura', type: 'ring' };
    const groups = {
      oura: [{ data: [pointAt(2 * at), pointAt(2 * at + 1)], source }],
      garmin: [],
    };
    response.end(JSON.stringify({ groups, [field]: cursors[at] ?? null }));
  };
}

async function values(nextCursor?: string): Promise<number[]> {
  return (await all(minutes.points(USER_ID, { ...JUNE, nextCursor }))).map((p) => p.point.value);
}

describe('mindfulnessMinutes.pages', () => {
  it('follows next_cursor to the last page', async () => {
    servePages(['c1', 'c2', null]);
    expect(await all(minutes.pages(USER_ID, JUNE))).toHaveLength(3);
    expect(server.targets.map((target) => target.split('?')[1])).toEqual([
      'start_date=2025-06-01&end_date=2025-06-30',
      'start_date=2025-06-01&end_date=2025-06-30&next_cursor=c1',
      'start_date=2025-06-01&end_date=2025-06-30&next_cursor=c2',
    ]);
  });

  it('follows the deprecated next where that is all there is', async () => {
    servePages(['c1', 'c2', null], 'next');
    expect(await all(minutes.pages(USER_ID, JUNE))).toHaveLength(3);
  });

  it('asks for a page only when the loop gets there', async () => {
    servePages(['c1', 'c2', null]);
    for await (const page of minutes.pages(USER_ID, JUNE)) {
      expect(page.next_cursor).toBe('c1');
      break;
    }
    expect(server.targets).toHaveLength(1);
  });

  it.each([
    ['its own', ['c1', 'c1']],
    ['an earlier', ['c1', 'c2', 'c1']],
  ])('refuses a page that answers %s cursor, and gives no page twice', async (_, cursors) => {
    server.answer = (_request, response) => {
      const next_cursor = cursors[server.targets.length - 1] ?? 'c1';
      response.end(JSON.stringify({ groups: {}, next_cursor }));
    };
    const got: unknown[] = [];
    const loop = async (): Promise<void> => {
      for await (const page of minutes.pages(USER_ID, JUNE)) got.push(page);
    };
    expect(await failureOf(loop())).toBeInstanceOf(InvalidResponseError);
    expect(got).toHaveLength(cursors.length - 1);
    expect(server.targets).toHaveLength(cursors.length);
  });

  it('refuses the cursor that it was resumed from', async () => {
    server.json({ groups: {}, next_cursor: 'c9' });
    const call = all(minutes.pages(USER_ID, { ...JUNE, nextCursor: 'c9' }));
    expect(await failureOf(call)).toBeInstanceOf(InvalidResponseError);
  });

  it.each([[''], [7], [{}], [false]])('refuses an answer with the cursor %p', async (cursor) => {
    server.json({ groups: {}, next_cursor: cursor });
    expect(await failureOf(all(minutes.pages(USER_ID, JUNE)))).toBeInstanceOf(InvalidResponseError);
  });
});

describe('mindfulnessMinutes.points', () => {
  it('gives each point with its provider and source, timestamps as they came', async () => {
    servePages([null]);
    expect(await all(minutes.points(USER_ID, JUNE))).toEqual([
      { provider: 'oura', source: { provider: 'oura', type: 'ring' }, point: pointAt(0) },
      { provider: 'oura', source: { provider: 'oura', type: 'ring' }, point: pointAt(1) },
    ]);
  });

  it('gives each point of all pages once, and resumed at any page exactly the rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .uniqueArray(fc.string({ minLength: 1 }), { maxLength: 12 })
          .chain((cursors) => fc.tuple(fc.constant(cursors), fc.nat(cursors.length))),
        async ([cursors, from]) => {
          servePages([...cursors, null]);
          const whole = Array.from({ length: 2 * (cursors.length + 1) }, (_, i) => i);
          expect(await values()).toEqual(whole);
          expect(await values(from === 0 ? undefined : cursors[from - 1])).toEqual(
            whole.slice(2 * from),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('stops between points when the caller aborts', async () => {
    servePages(['c1', null]);
    const controller = new AbortController();
    const got: number[] = [];
    const loop = async (): Promise<void> => {
      const { signal } = controller;
      for await (const { point } of minutes.points(USER_ID, JUNE, { signal })) {
        got.push(point.value);
        controller.abort();
      }
    };
    expect(await failureOf(loop())).toBeInstanceOf(AbortError);
    expect(got).toEqual([0]);
  });

  it.each([
    [{ groups: { oura: {} } }],
    [{ groups: { oura: [{ source: {} }] } }],
    [{ groups: { oura: [{ data: {}, source: {} }] } }],
    [{ groups: [] }],
    [{}],
  ])('refuses the answer %j', async (body) => {
    server.json(body);
    expect(await failureOf(values())).toBeInstanceOf(InvalidResponseError);
  });
});

describe('mindfulnessMinutes.grouped', () => {
  it.each([
    ['no startDate', {}],
    ['an empty startDate', { startDate: '' }],
    ['a Date', { startDate: new Date(0) }],
    ['an empty endDate', { startDate: '2025-06-01', endDate: '' }],
    ['an empty cursor', { startDate: '2025-06-01', nextCursor: '' }],
  ])('refuses %s before a request', async (_, query) => {
    const call = minutes.grouped(USER_ID, query as typeof JUNE);
    expect(await failureOf(call)).toBeInstanceOf(InvalidArgumentError);
    expect(server.targets).toEqual([]);
  });
});
