import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../problem/problem-error.ts';
import type { HealthDataSource, SourceCall } from '../health-data-source.ts';
import { UpstreamHttp } from './upstream-http.ts';
import { UpstreamSource } from './upstream-source.ts';
import {
  FaultyUpstream,
  insurance,
  KEY,
  list,
  minutes,
  result,
  upstreamOf,
  user,
  USER_ID,
} from './upstream.testing.ts';

let upstream: FaultyUpstream;

/** Each read, with a right answer and what the source makes of that. */
const reads = [
  {
    right: user('patient-1'),
    ask: async (source: HealthDataSource, call: SourceCall) =>
      (await source.read('resolveUser', '', 'patient-1', call))?.body,
  },
  {
    right: insurance,
    ask: async (source: HealthDataSource, call: SourceCall) => {
      const found = await source.read(
        'latestInsurance',
        '',
        { userId: USER_ID, isPrimary: true },
        call,
      );
      return typeof found === 'string' ? undefined : found.body;
    },
  },
  {
    right: result,
    ask: async (source: HealthDataSource, call: SourceCall) =>
      (await source.read('labOrderResult', '', USER_ID, call))?.body,
  },
  {
    right: list({ users: [user('a')], total: 1 }),
    ask: async (source: HealthDataSource, call: SourceCall) => {
      const { users, total, rest } = await source.read(
        'listUsers',
        '',
        { offset: 0, limit: 100 },
        call,
      );
      return `{"users":[${users}],"total":${total},"offset":0,"limit":100${rest ?? ''}}`;
    },
  },
  {
    right: minutes,
    ask: async (source: HealthDataSource, call: SourceCall) => {
      const page = await source.read(
        'mindfulnessMinutes',
        '',
        { userId: USER_ID, fromUs: 0, limit: 9 },
        call,
      );
      return page && `{"groups":${page.groups},"next":null,"next_cursor":null${page.rest ?? ''}}`;
    },
  },
] as const;

const anyBody = fc.oneof(
  { weight: 3, arbitrary: fc.constant('right') },
  fc.json(),
  fc.constant('{"detail":"gone"}'),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...reads.map(({ right }) => JSON.stringify(right))),
  fc.nat({ max: 60 }).map((length) => `cut ${length}`),
);
const anything = fc.record({
  read: fc.constantFrom(...reads),
  status: fc.oneof(
    { weight: 2, arbitrary: fc.constant(200) },
    fc.constantFrom(301, 401, 404, 429, 500, 503),
    fc.integer({ min: 200, max: 599 }),
  ),
  body: anyBody,
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { 'retry-after': '0' },
    { 'content-encoding': 'gzip' },
    { 'content-type': 'text/html' },
    { location: '/v2/user/' },
  ),
  ends: fc.constantFrom('whole', 'whole', 'whole', 'whole', 'cut', 'cut', 'reset', 'never'),
});
const notFound = anything.map((fault) => ({
  ...fault,
  status: 404,
  body: '{"detail":"gone"}',
  headers: {},
  ends: 'whole' as const,
}));
const anyFault = fc.oneof({ weight: 8, arbitrary: anything }, notFound);
type Fault = typeof anyFault extends fc.Arbitrary<infer T> ? T : never;

function textOf({ read, body }: Fault): string {
  const whole = JSON.stringify(read.right);
  if (body === 'right') {
    return whole;
  }
  return body.startsWith('cut ') ? whole.slice(0, Number(body.slice(4))) : body;
}

function play(fault: Fault, text: string): void {
  upstream.answer = (_request, response) => {
    if (fault.ends === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    // One byte more than comes, where the answer is cut or never ends.
    const length = Buffer.byteLength(text) + (fault.ends === 'whole' ? 0 : 1);
    response.strictContentLength = false;
    const hasBody = fault.status !== 204 && fault.status !== 304;
    const sized = hasBody ? { 'content-length': String(length) } : {};
    response.writeHead(fault.status, { ...fault.headers, ...sized });
    response.write(text);
    if (fault.ends === 'whole') {
      response.end();
    } else if (fault.ends === 'cut') {
      response.socket?.end();
    }
  };
}

/** One that gets everywhere: to an answer, to "not found", and to each of the problems. */
const everywhere: [Fault[]] = [
  [
    { status: 200, body: 'right', ends: 'whole' as const },
    { status: 404, body: '{"detail":"gone"}', ends: 'whole' as const },
    { status: 200, body: 'right', ends: 'reset' as const },
    { status: 429, body: 'right', ends: 'whole' as const },
    { status: 200, body: 'right', ends: 'never' as const },
  ].map((fault) => ({ read: reads[0], headers: {}, ...fault })),
];

export function anyFaults(courses: number): void {
  beforeAll(async () => {
    upstream = await FaultyUpstream.start();
  });
  afterAll(async () => {
    await upstream.stop();
  });

  describe('whatever an upstream does', () => {
    it('a read ends in what it said whole and right, in "not found", or in 502, 503 or 504', async () => {
      const seen = new Map<string, number>();
      const ends = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
      await fc.assert(
        fc.asyncProperty(fc.array(anyFault, { minLength: 1, maxLength: 4 }), async (course) => {
          const [settings] = upstreamOf('', upstream.url, KEY).values();
          if (settings === undefined) {
            throw new Error('No upstream');
          }
          const transport = new UpstreamHttp([upstream.url]);
          // Of its own, so that no breaker of another course answers.
          const source = new UpstreamSource(settings, { transport, timeoutMs: 150 });
          for (const fault of course) {
            const text = textOf(fault);
            play(fault, text);
            upstream.requests.length = 0;
            const requestId = randomUUID();
            const call = { requestId, signal: new AbortController().signal };
            try {
              const body = await fault.read.ask(source, call);
              ends(body === undefined ? 'not found' : 'right');
              expect(fault.status).toBe(body === undefined ? 404 : 200);
              if (body !== undefined) {
                expect(fault.ends).toBe('whole');
                expect(JSON.parse(body)).toEqual(JSON.parse(text));
              }
            } catch (error) {
              expect(error).toBeInstanceOf(ProblemError);
              const { status } = error as ProblemError;
              expect([502, 503, 504]).toContain(status);
              ends(String(status));
            }
            // By their id: a request of the read before may arrive late.
            const sent = upstream.requests.filter(
              ({ headers }) => headers['x-request-id'] === requestId,
            );
            expect(sent.length).toBeLessThanOrEqual(3);
          }
        }),
        { numRuns: courses, examples: [everywhere] },
      );
      // The courses got everywhere.
      expect([...seen.keys()].sort()).toEqual(['502', '503', '504', 'not found', 'right']);
    });
  });
}
