import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { FakeClock } from '../../testing/fake-clock.ts';
import { apiErrorOf } from '../errors/api-errors.ts';
import { InvalidArgumentError, NetworkError } from '../errors/call-errors.ts';
import { Hedging } from './hedging.ts';
import { RetryBudget } from './retry-budget.ts';

const ROUTE = 'GET /v2/user/';

interface Reply {
  readonly ms: number;
  readonly failure?: Error;
}

interface Setup {
  readonly clock: FakeClock;
  readonly hedging: Hedging;
  readonly aborted: boolean[];
  /** Runs one call whose first and second request end so. */
  readonly race: (first: Reply, second?: Reply) => Promise<string>;
}

function setUp(budget = new RetryBudget(1000, 0)): Setup {
  const clock = new FakeClock();
  const hedging = new Hedging({ minimumSamples: 5, leastMs: 0 });
  const aborted: boolean[] = [];
  const race = (first: Reply, second: Reply = first): Promise<string> => {
    const call = hedging.race<string>({
      operation: 'listUsers',
      route: ROUTE,
      clock,
      budget,
      signal: new AbortController().signal,
      send: (signal, hedge) =>
        new Promise((resolve, reject) => {
          const { ms, failure } = hedge ? second : first;
          const at = aborted.push(false) - 1;
          const cancel = clock.after(ms, () => {
            if (failure === undefined) resolve(hedge ? 'second' : 'first');
            else reject(failure);
          });
          signal.addEventListener('abort', () => {
            cancel();
            aborted[at] = true;
            reject(signal.reason as Error);
          });
        }),
    });
    return clock.finish(call);
  };
  return { clock, hedging, aborted, race };
}

async function warmedUp(budget?: RetryBudget): Promise<Setup> {
  const setup = setUp(budget);
  for (let i = 0; i < 5; i += 1) await setup.race({ ms: 100 });
  setup.aborted.length = 0;
  return setup;
}

describe('Hedging', () => {
  it('sends nothing twice before it has timed enough answers', async () => {
    const { hedging, race } = setUp();
    for (let i = 0; i < 5; i += 1) await race({ ms: 100 });
    expect(hedging.counts).toEqual({ sent: 0, won: 0 });
    expect(hedging.delayMs('listUsers')).toBe(100);
    expect(hedging.delayMs('resolveUser')).toBeUndefined();
  });

  it('sends a second request after the p95 and gives up the slower first', async () => {
    const { clock, hedging, aborted, race } = await warmedUp();
    const startedAt = clock.now();
    expect(await race({ ms: 5000 }, { ms: 30 })).toBe('second');
    expect(clock.now() - startedAt).toBe(130);
    expect(aborted).toEqual([true, true]);
    expect(hedging.counts).toEqual({ sent: 1, won: 1 });
  });

  it('takes the first where it still comes first', async () => {
    const { hedging, race } = await warmedUp();
    expect(await race({ ms: 120 }, { ms: 30 })).toBe('first');
    expect(hedging.counts).toEqual({ sent: 1, won: 0 });
  });

  it('sends no second one without budget', async () => {
    const { hedging, race } = await warmedUp(new RetryBudget(0, 0));
    expect(await race({ ms: 5000 }, { ms: 30 })).toBe('first');
    expect(hedging.counts.sent).toBe(0);
  });

  it('waits for the other when one fails in a way that passes, not when it is refused for good', async () => {
    const { race } = await warmedUp();
    const cut = new NetworkError(ROUTE, undefined);
    expect(await race({ ms: 5000 }, { ms: 30, failure: cut })).toBe('first');
    expect(await race({ ms: 5000, failure: cut }, { ms: 6000 })).toBe('second');
    const refusal = apiErrorOf(ROUTE, { status: 404, headers: {} });
    await expect(race({ ms: 90_000 }, { ms: 30, failure: refusal })).rejects.toBe(refusal);
    await expect(race({ ms: 50, failure: cut })).rejects.toBe(cut);
  });

  it('has no more than five of a hundred requests sent twice while durations keep their spread', async () => {
    const { hedging, race } = setUp();
    const random = fc.sample(fc.integer({ min: 1, max: 1000 }), { numRuns: 2000, seed: 6 });
    for (const ms of random) await race({ ms }, { ms: 1_000_000 });
    expect(hedging.counts.sent).toBeLessThan(0.08 * random.length);
    expect(hedging.counts.won).toBe(0);
  });

  it.each([{ quantile: 0 }, { quantile: 2 }, { minimumSamples: 0 }, { leastMs: NaN }])(
    'refuses %p',
    (options) => {
      expect(() => new Hedging(options)).toThrow(InvalidArgumentError);
    },
  );
});
