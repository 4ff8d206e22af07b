import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { FakeClock } from '../../testing/fake-clock.ts';
import { createApiError } from '../errors/api-errors.ts';
import {
  AbortError,
  CircuitOpenError,
  InvalidArgumentError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from '../errors/call-errors.ts';
import { RetryBudget } from './retry-budget.ts';
import { computeBackoffMs, createRetryPolicy, findRetryReason, withRetries } from './retries.ts';
import type { RetryOptions } from './retries.ts';

const ROUTE = 'GET /v2/user/';

function refusal(status: number, retryAfter?: number): Error {
  return createApiError(ROUTE, { status, headers: {}, retryAfter });
}

/** Runs one call whose requests all fail. Returns the times of the requests, and the error. */
async function failing(
  options: RetryOptions,
  failure: Error,
  { deadlineMs = Infinity, clock = new FakeClock() } = {},
): Promise<{ sentAt: number[]; error: unknown; clock: FakeClock }> {
  const sentAt: number[] = [];
  const policy = createRetryPolicy(options);
  const parts = {
    policy,
    clock,
    signal: new AbortController().signal,
    deadlineAt: deadlineMs,
  };
  const call = withRetries(parts, () => {
    sentAt.push(clock.now());
    return Promise.reject(failure);
  });
  const error: unknown = await clock.finish(call.catch((thrown: unknown) => thrown));
  return { sentAt, error, clock };
}

describe('the wait before a retry', () => {
  it('is never below 0 nor above the cap or the doubled base', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (baseMs, capMs, attempt, random) => {
          const wait = computeBackoffMs({ baseMs, capMs }, attempt, random);
          return wait >= 0 && wait <= Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 1000));
        },
      ),
    );
  });

  it('doubles up to the cap and is spread over all of it', async () => {
    const clock = new FakeClock();
    clock.chance = () => 0.999999;
    const { sentAt } = await failing({ attempts: 6, baseMs: 100, capMs: 500 }, refusal(503), {
      clock,
    });
    const waits = sentAt.slice(1).map((at, i) => Math.round(at - (sentAt[i] ?? 0)));
    expect(waits).toEqual([100, 200, 400, 500, 500]);
    clock.chance = () => 0;
    const early = await failing({ attempts: 6 }, refusal(503), { clock });
    expect(new Set(early.sentAt).size).toBe(1);
  });

  it('never passes the deadline, whatever the server asks for, and no attempt follows it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (attempts, baseMs, capMs, deadlineMs, retryAfter, random) => {
          const clock = new FakeClock();
          clock.chance = () => random;
          const failure = refusal(429, retryAfter);
          const options = { attempts, baseMs, capMs };
          const { sentAt, error } = await failing(options, failure, { deadlineMs, clock });
          expect(error).toBe(failure);
          expect(sentAt.length).toBeLessThanOrEqual(attempts);
          expect(Math.max(...sentAt)).toBeLessThan(deadlineMs);
          expect(clock.now()).toBe(sentAt.at(-1));
          for (const [i, at] of sentAt.slice(1).entries()) {
            const wait = at - (sentAt[i] ?? 0);
            expect(wait).toBeGreaterThanOrEqual((retryAfter ?? 0) * 1000);
            expect(wait).toBeLessThanOrEqual((retryAfter ?? 0) * 1000 + capMs + 1e-6);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the retry budget', () => {
  it('never lets more through than its tokens and the share of calls that succeeded', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.array(fc.boolean(), { maxLength: 300 }),
        (tokens, ratio, steps) => {
          const budget = new RetryBudget(tokens, ratio);
          let [spent, earned] = [0, 0];
          for (const spend of steps) {
            if (!spend) {
              budget.earn();
              earned += 1;
            } else if (budget.spend()) {
              spent += 1;
            }
            expect(spent).toBeLessThanOrEqual(tokens + ratio * earned + 1e-6);
          }
        },
      ),
    );
  });
});

describe('what is tried again', () => {
  const network = (code: string): Error => new NetworkError(ROUTE, { name: 'Error', code });

  it.each([
    ['no answer', network('ECONNRESET'), 'network'],
    ['no answer in time', new TimeoutError(ROUTE, 5), 'timeout'],
    ['429', refusal(429), 'rate-limited'],
    ['502', refusal(502), 'unavailable'],
    ['503', refusal(503), 'unavailable'],
    ['504', refusal(504), 'unavailable'],
    ['a certificate that is not trusted', network('DEPTH_ZERO_SELF_SIGNED_CERT'), undefined],
    ['a certificate without its chain', network('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), undefined],
    ['a certificate of another name', network('ERR_TLS_CERT_ALTNAME_INVALID'), undefined],
    ['500', refusal(500), undefined],
    ['501', refusal(501), undefined],
    ['401', refusal(401), undefined],
    ['404', refusal(404), undefined],
    ['422', refusal(422), undefined],
    ['an abort', new AbortError(ROUTE, undefined), undefined],
    ['HTML with status 200', new InvalidResponseError(ROUTE, 'x', 200), undefined],
    ['an open circuit', new CircuitOpenError(ROUTE, 5), undefined],
    ['a mistake in the code', new TypeError('x'), undefined],
  ])('%s', async (_name, failure, reason) => {
    expect(findRetryReason(failure)).toBe(reason);
    const { sentAt, error } = await failing({ attempts: 3 }, failure);
    expect(error).toBe(failure);
    expect(sentAt).toHaveLength(reason === undefined ? 1 : 3);
  });
});

describe('the options of retries', () => {
  it.each([
    { attempts: 0 },
    { attempts: NaN },
    { baseMs: -1 },
    { capMs: Infinity },
    { budgetTokens: -1 },
    { budgetRatio: NaN },
  ])('refuse %p', (options) => {
    expect(() => createRetryPolicy(options)).toThrow(InvalidArgumentError);
  });
});
