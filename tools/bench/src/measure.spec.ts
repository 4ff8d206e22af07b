import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { compare, measureInTurns, formatRow } from './measure.ts';
import type { Row } from './measure.ts';

const amount = fc.double({ min: 0, max: 100, noNaN: true });
const row = { what: 'a read', unit: 'us', measured: 1 };
const isMissed = (change: Partial<Row>): boolean =>
  formatRow({ ...row, ...change }).includes('MISSED');

describe('a goal', () => {
  it('is missed by a ratio above it by more than the noise', () => {
    fc.assert(
      fc.property(amount, amount, amount, (ratio, noise, most) => {
        expect(isMissed({ ratio, noise, goal: { ratio: most } })).toBe(ratio - noise > most);
      }),
    );
  });

  it('is missed by a value, or an addition to the baseline, above it', () => {
    fc.assert(
      fc.property(amount, amount, amount, (measured, baseline, most) => {
        expect(isMissed({ measured, goal: { value: most } })).toBe(measured > most);
        const added = measured - baseline;
        expect(isMissed({ measured, baseline, goal: { added: most } })).toBe(added > most);
      }),
    );
  });

  it('is missed by NaN', () => {
    expect(isMissed({ ratio: NaN, goal: { ratio: 2 } })).toBe(true);
    expect(isMissed({ measured: NaN, goal: { value: 2 } })).toBe(true);
    expect(isMissed({})).toBe(false);
  });
});

describe('a comparison', () => {
  it('has the ratio of the medians, and half the range of the ratios of rounds as its noise', () => {
    const times = [
      [10, 30, 20],
      [10, 10, 10],
    ] as const;
    expect(compare('a read', 'us', times)).toEqual({
      ...{ what: 'a read', unit: 'us', measured: 20, baseline: 10, ratio: 2, noise: 1 },
    });
  });

  it('takes turns whose order turns around', async () => {
    const order: string[] = [];
    const way = (name: string) => () => Promise.resolve(order.push(name));
    await measureInTurns([way('a'), way('b')]);
    expect(order.join('')).toBe('abbaabbaabbaab');
  });
});
