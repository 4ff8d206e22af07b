import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { Budget } from './rate-limits.ts';

describe('a budget', () => {
  it('is spent by milliseconds or by bytes, and comes back evenly within a minute', () => {
    const budget = new Budget(6000);
    budget.spend(5999, 0, 0);
    expect(budget.secondsToWait(0)).toBeUndefined();
    budget.spend(1, 0, 0);
    expect(budget.secondsToWait(0)).toBe(6);
    expect(budget.secondsToWait(6000)).toBeUndefined();
    expect(budget.spent(30_000)).toBeCloseTo(0.5);
    budget.spend(0, 6000 * 50_000, 60_000);
    expect([budget.spent(60_000), budget.secondsToWait(60_000)]).toEqual([1, 6]);
  });

  it('lets nobody wait for longer than a minute, and gives no more than it has, whatever the clock does', () => {
    const step = fc.record({
      ...{
        ms: fc.nat(20_000),
        bytes: fc.nat(10 ** 9),
        passed: fc.integer({ min: -5000, max: 9000 }),
      },
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const budget = new Budget(1000);
        let [nowMs, passedMs, spentMs] = [0, 0, 0];
        for (const { ms, bytes, passed } of steps) {
          nowMs += passed;
          passedMs += Math.max(0, passed);
          const seconds = budget.secondsToWait(nowMs);
          if (seconds === undefined) {
            spentMs += ms;
            // The last may cost more than was left: each of its keys is one request over.
            expect(spentMs - ms).toBeLessThan(1000 + passedMs / 60);
            budget.spend(ms, bytes, nowMs);
          } else {
            expect(seconds).toBeGreaterThan(0);
            expect(seconds).toBeLessThanOrEqual(60);
          }
        }
      }),
    );
  });
});
