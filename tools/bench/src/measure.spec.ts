import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { compare, inTurns, misses } from './measure.ts';

const amount = fc.double({ min: 0, max: 100, noNaN: true });
const row = { what: 'a read', unit: 'us', measured: 1 };

describe('the check of a run', () => {
  it('misses a ratio that is above its goal by more than its noise, and no other', () => {
    fc.assert(
      fc.property(amount, amount, amount, (ratio, noise, most) => {
        const missed = misses([{ ...row, ratio, noise, goal: { ratio: most } }]);
        expect(missed.length > 0).toBe(ratio - noise > most);
      }),
    );
  });

  it('misses a value, or what is added to the baseline, above its goal', () => {
    fc.assert(
      fc.property(amount, amount, amount, (measured, baseline, most) => {
        const value = misses([{ ...row, measured, goal: { value: most } }]);
        expect(value.length > 0).toBe(measured > most);
        const added = misses([{ ...row, measured, baseline, goal: { added: most } }]);
        expect(added.length > 0).toBe(measured - baseline > most);
      }),
    );
  });

  it('misses what is no number, and nothing that has no goal', () => {
    expect(misses([{ ...row, ratio: NaN, goal: { ratio: 2 } }])).toHaveLength(1);
    expect(misses([{ ...row, measured: NaN, goal: { value: 2 } }])).toHaveLength(1);
    expect(misses([row])).toEqual([]);
  });

  it('names the row, its value and its goal', () => {
    expect(misses([{ ...row, ratio: 3.456, noise: 0.25, goal: { ratio: 2 } }])).toEqual([
      'a read: 3.46x (noise 0.25), at most 2x',
    ]);
    expect(misses([{ ...row, unit: 'MiB', measured: 250, goal: { value: 220 } }])).toEqual([
      'a read: 250 MiB, at most 220 MiB',
    ]);
  });
});

describe('a comparison', () => {
  it('has the ratio of the medians, and half the range of the ratios of rounds as its noise', () => {
    expect(compare('a read', 'us', [10, 30, 20], [10, 10, 10])).toEqual({
      ...{ what: 'a read', unit: 'us', measured: 20, baseline: 10, ratio: 2, noise: 1 },
    });
  });

  it('takes turns whose order turns around', async () => {
    const order: string[] = [];
    const way = (name: string) => () => Promise.resolve(order.push(name));
    await inTurns({ a: way('a'), b: way('b') }, 3);
    expect(order.join('')).toBe('abbaab');
  });
});
