import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { against, misses, type Goal, type Row } from './measure.ts';

const row = (ratio: number, noise: number, goal: Goal): Row => ({
  ...{ what: 'a read', unit: 'us', measured: ratio, baseline: 1, ratio, noise, goal },
  ...{ bound: 'promised', kept: false },
});

describe('the check of a run', () => {
  it('misses a ratio that is past its goal by more than its noise, and no other', () => {
    const amount = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(amount, amount, amount, (ratio, noise, bound) => {
        const most = misses({ cost: [row(ratio, noise, { most: bound })] });
        expect(most.length > 0).toBe(ratio - noise > bound);
        const least = misses({ reads: [row(ratio, noise, { least: bound })] });
        expect(least.length > 0).toBe(ratio + noise < bound);
      }),
    );
  });

  it('misses what is no number, and what was not kept and has no goal', () => {
    expect(misses({ cost: [row(NaN, 0, { most: 2 })] })).toHaveLength(1);
    const promised = { what: 'p99', unit: 'ms', measured: 9, bound: 'at most 5 ms added' };
    expect(misses({ audit: [{ ...promised, kept: false }] })).toEqual([
      'audit: p99: at most 5 ms added',
    ]);
    expect(misses({ audit: [{ ...promised, kept: true }, promised] })).toEqual([]);
  });

  it('names section, row, ratio, noise and promise', () => {
    expect(misses({ cost: [row(3.456, 0.25, { most: 2 })] })).toEqual([
      'cost: a read: 3.46x (noise 0.25), promised',
    ]);
  });
});

describe('a row against its baseline', () => {
  it('has the ratio of the medians, and half the range of the rounds’ ratios as noise', () => {
    const rounds = { measured: [10, 30, 20], baseline: [10, 10, 10] };
    expect(against('a read', 'us', rounds, { most: 1.5 })).toEqual({
      ...{ what: 'a read', unit: 'us', measured: 20, baseline: 10, ratio: 2, noise: 1 },
      ...{ goal: { most: 1.5 }, bound: 'at most 1.5x', kept: false },
    });
    expect(against('a read', 'us', rounds, { least: 2 })).toMatchObject({
      ...{ bound: 'at least 2x', kept: true },
    });
    expect(against('a read', 'us', rounds)).not.toHaveProperty('kept');
  });
});
