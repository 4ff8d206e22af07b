import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '@caregate/fault-proxy';
import { validateProblemDetails } from '@caregate/domain/validate';
import fc from '@caregate/seeded';
import { share } from '@caregate/seeded/seed';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultyGateway, TOO_LONG_MS, type Answer } from './gateway-faults.testing.ts';

const MOST_ATTEMPTS = 3;
/** Retries that the gateway has from the start, and what it earns with each answer. */
const BUDGET = { tokens: 30, ratio: 0.1 };

/** What one attempt with the fault leads to where the next has none, and what the fault each time leads to. */
const faultsOfOneRead: readonly [
  string,
  Fault,
  once: [number, number],
  always: [number, number],
][] = [
  ['latency', { kind: 'latency', ms: 50 }, [200, 1], [200, 1]],
  ['latency beyond the deadline', { kind: 'latency', ms: TOO_LONG_MS }, [504, 1], [504, 1]],
  ['a reset before the answer', { kind: 'reset', bytes: 0 }, [200, 2], [502, 3]],
  ['a reset in the body', { kind: 'reset', bytes: 900 }, [200, 2], [502, 3]],
  ['a half-closed connection', { kind: 'half-closed', bytes: 0 }, [200, 2], [502, 3]],
  ['one half-closed in the body', { kind: 'half-closed', bytes: 900 }, [200, 2], [502, 3]],
  ['an answer cut in its head', { kind: 'truncated', bytes: 40 }, [200, 2], [502, 3]],
  ['an answer cut in its body', { kind: 'truncated', bytes: 900 }, [200, 2], [502, 3]],
  ['a body that stalls', { kind: 'stalled', bytes: 900 }, [504, 1], [504, 1]],
  ['a trickle', { kind: 'trickle', ms: 20 }, [504, 1], [504, 1]],
  ['what is no HTTP', { kind: 'garbage', part: 'all' }, [200, 2], [502, 3]],
  ['what is no JSON', { kind: 'garbage', part: 'body' }, [502, 1], [502, 1]],
  ['a length above the body’s', { kind: 'content-length', by: 10 }, [504, 1], [504, 1]],
  ['a length below the body’s', { kind: 'content-length', by: -10 }, [200, 2], [502, 3]],
  ['a gzip bomb', { kind: 'gzip-bomb', bytes: 17 << 20 }, [502, 1], [502, 1]],
  ['429', { kind: 'too-many', retryAfterSeconds: 0 }, [200, 2], [503, 3]],
  ['429 for longer', { kind: 'too-many', retryAfterSeconds: 700 }, [503, 1], [503, 1]],
  ['an answer that comes twice', { kind: 'doubled', ms: 0 }, [200, 1], [200, 1]],
  ['one that comes again later', { kind: 'doubled', ms: 30 }, [200, 1], [200, 1]],
];

const anyFault = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fault>({ kind: 'none' }) },
  fc.record({ kind: fc.constant('latency' as const), ms: fc.constantFrom(5, 60, TOO_LONG_MS) }),
  fc.record({
    kind: fc.constantFrom('reset', 'half-closed', 'truncated', 'stalled'),
    bytes: fc.oneof(fc.constant(0), fc.nat({ max: 3000 })),
  }),
  fc.record({ kind: fc.constant('trickle' as const), ms: fc.constantFrom(0, 20) }),
  fc.record({ kind: fc.constant('garbage' as const), part: fc.constantFrom('all', 'body') }),
  fc.record({
    kind: fc.constant('content-length' as const),
    by: fc.oneof(fc.integer({ min: -400, max: 400 }), fc.constantFrom(-1, 1)),
  }),
  fc.record({ kind: fc.constant('gzip-bomb' as const), bytes: fc.constantFrom(2000, 17 << 20) }),
  fc.record({ kind: fc.constant('too-many' as const), retryAfterSeconds: fc.constantFrom(0, 7) }),
  fc.record({ kind: fc.constant('doubled' as const), ms: fc.constantFrom(0, 20) }),
) satisfies fc.Arbitrary<Fault>;

/** Reads that run at once, two steps one after the other; each has faults for its attempts, one after the other. */
const course = fc.array(
  fc.uniqueArray(
    fc.record({
      read: fc.nat(),
      faults: fc.oneof(
        { weight: 2, arbitrary: fc.array(anyFault, { minLength: 1, maxLength: MOST_ATTEMPTS }) },
        // The same for longer than anybody may try.
        anyFault.map((fault) => Array<Fault>(MOST_ATTEMPTS * 2).fill(fault)),
      ),
    }),
    { minLength: 1, maxLength: 4, selector: ({ read }) => read % 12 },
  ),
  { minLength: 1, maxLength: 2 },
);

/** One that gets everywhere: to an answer, and to each of the problems. */
const everywhere: [{ read: number; faults: Fault[] }[][]] = [
  [
    [
      { read: 0, faults: [{ kind: 'none' }] },
      { read: 1, faults: [{ kind: 'garbage', part: 'body' }] },
      { read: 2, faults: [{ kind: 'too-many', retryAfterSeconds: 7 }] },
      { read: 3, faults: [{ kind: 'latency', ms: TOO_LONG_MS }] },
    ],
  ],
];

/** `parts`: one of so many of the faults of one read, which the seed chooses. */
export function gatewayFaults({ parts, courses }: { parts: number; courses: number }): void {
  let gateway: FaultyGateway;
  let paths: readonly string[];

  beforeAll(async () => {
    gateway = await FaultyGateway.start();
    paths = [...gateway.right.keys()];
  });
  afterAll(() => gateway.stop());

  /** The upstream's own bytes, or a problem without a word of its; nothing else. */
  function expectRightOrProblem(path: string, answer: Answer): void {
    if (answer.status === 200) {
      // Blanks behind it, as of what was packed, are no other answer.
      expect(answer.body.trimEnd()).toBe(gateway.right.get(path));
      return;
    }
    expect([502, 503, 504]).toContain(answer.status);
    expect(validateProblemDetails(JSON.parse(answer.body)).ok).toBe(true);
    expect(answer.body).not.toContain(new URL(gateway.proxy.url).host);
  }

  describe('between the gateway and its upstream', () => {
    afterEach(() => gateway.recover());

    it.each(share(faultsOfOneRead, parts))('%s', async (_what, fault, once, always) => {
      const path = paths.find((each) => each.includes('/order/'))!;
      for (const [faults, [status, attempts]] of [
        [[fault], once],
        [Array<Fault>(MOST_ATTEMPTS).fill(fault), always],
      ] as const) {
        gateway.plan(path, faults);
        const since = gateway.proxy.requests.length;
        // Only where the end of its time makes the answer is one asked whose time ends soon.
        const answer = await gateway.ask(path, status === 504 ? 'strict' : 'patient');
        expectRightOrProblem(path, answer);
        expect([answer.status, gateway.attempts(path, since)]).toEqual([status, attempts]);
        if (fault.kind === 'too-many' && fault.retryAfterSeconds > 0) {
          expect(answer.retryAfter).toBe('700');
        }
        // Whatever is left on a connection is nobody's answer.
        gateway.plan(path, []);
        if (fault.kind === 'doubled') {
          await sleep(fault.ms * 2);
        }
        for (const next of paths.slice(0, 8)) {
          const { status: after, body } = await gateway.ask(next);
          expect([after, body]).toEqual([200, gateway.right.get(next)]);
        }
      }
    });

    it('a slow TLS handshake within the deadline, and beyond it', async () => {
      const path = paths[0]!;
      gateway.tlsProxy.handshakeMs = 100;
      expect(await gateway.askByTls(path, 'patient')).toMatchObject({
        status: 200,
        body: gateway.right.get(path),
      });
      // No connection of before may serve.
      gateway.tlsProxy.faultOf = () => ({ kind: 'truncated', bytes: 0 });
      gateway.tlsProxy.handshakeMs = TOO_LONG_MS;
      const before = gateway.tlsProxy.requests.length;
      expect((await gateway.askByTls(path, 'strict')).status).toBe(504);
      expect(gateway.tlsProxy.requests.length - before).toBeLessThanOrEqual(1);
    });
  });

  describe('over any course of faults', () => {
    it('no answer is wrong or another’s, and no read takes more attempts than it may', async () => {
      const seen = new Map<number, number>();
      const before = { requests: gateway.proxy.requests.length, answers: gateway.answers.length };
      await fc.assert(
        fc.asyncProperty(course, async (steps) => {
          for (const step of steps) {
            const since = gateway.proxy.requests.length;
            const asked = step.map(({ read, faults }) => ({ path: paths[read % 12]!, faults }));
            asked.forEach(({ path, faults }) => {
              gateway.plan(path, faults);
            });
            const answers = await Promise.all(asked.map(({ path }) => gateway.ask(path, 'strict')));
            answers.forEach((answer, index) => {
              const { path, faults } = asked[index]!;
              expectRightOrProblem(path, answer);
              seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
              expect(gateway.attempts(path, since)).toBeLessThanOrEqual(MOST_ATTEMPTS);
              if (answer.status === 200) {
                // Right by way of the last attempt; the ones before it failed.
                expect(gateway.attempts(path, since)).toBeLessThanOrEqual(faults.length + 1);
              }
            });
          }
          await gateway.recover();
        }),
        { numRuns: courses, examples: [everywhere], endOnFailure: true },
      );
      // The courses got everywhere.
      expect([...seen.keys()].sort()).toEqual([200, 502, 503, 504]);
      const requests = gateway.proxy.requests.length - before.requests;
      const answers = gateway.answers.length - before.answers;
      expect(requests).toBeLessThanOrEqual(answers * (1 + BUDGET.ratio) + BUDGET.tokens);
    });

    it('each answer has its audit record, in a log that verifies', async () => {
      const records = await gateway.auditRecords();
      expect(gateway.answers.length).toBeGreaterThan(200);
      for (const { record, requestId, status } of gateway.answers) {
        expect(records.get(record)).toMatchObject({ request_id: requestId, http_status: status });
      }
      expect(new Set(gateway.answers.map(({ record }) => record)).size).toBe(
        gateway.answers.length,
      );
    });
  });
}
