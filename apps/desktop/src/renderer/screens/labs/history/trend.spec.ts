import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { rangeOf } from '../../../components/results/reference-range.ts';
import { trendBox, trendShape } from './trend.tsx';

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const values = fc.array(number, { minLength: 2, maxLength: 11 });
const ranges = fc
  .record({ min_range_value: fc.option(number), max_range_value: fc.option(number) })
  .map(rangeOf);

describe('a trend', () => {
  it('stays in its box and goes from left to right, the higher value never below the lower', () => {
    fc.assert(
      fc.property(values, ranges, (list, range) => {
        const { points, band } = trendShape(list, range);
        expect(points).toHaveLength(list.length);
        for (const [place, { x, y }] of points.entries()) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(trendBox.width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(trendBox.height);
          const next = points[place + 1];
          if (next === undefined) continue;
          expect(next.x).toBeGreaterThan(x);
          const [value, after] = [list[place]!, list[place + 1]!];
          if (after > value) expect(next.y).toBeLessThanOrEqual(y);
          if (after < value) expect(next.y).toBeGreaterThanOrEqual(y);
        }
        if (band !== undefined) expect(band.bottom).toBeGreaterThanOrEqual(band.top);
      }),
      { numRuns: 1000 },
    );
  });

  it('has a value in the band where it lies in the range, and outside where it doesn’t', () => {
    const { points, band } = trendShape([3, 5, 7], { kind: 'between', min: 4, max: 6 });
    const [below, inside, above] = points.map(({ y }) => y);
    expect(below).toBeGreaterThan(band!.bottom);
    expect(inside).toBeGreaterThan(band!.top);
    expect(inside).toBeLessThan(band!.bottom);
    expect(above).toBeLessThan(band!.top);
  });

  it('has a band that is open at the side without a bound, and none for a range that says nothing', () => {
    expect(trendShape([1, 2], { kind: 'upTo', max: 2 }).band?.bottom).toBe(trendBox.height);
    expect(trendShape([1, 2], { kind: 'from', min: 1 }).band?.top).toBe(0);
    expect(trendShape([1, 2], { kind: 'none' }).band).toBeUndefined();
    expect(trendShape([1, 2], { kind: 'broken', min: 2, max: 1 }).band).toBeUndefined();
  });

  it('is a level line where all values are the same, or wider apart than a number can say', () => {
    const level = trendShape([4, 4, 4], { kind: 'none' }).points.map(({ y }) => y);
    expect(new Set(level).size).toBe(1);
    const [least, most] = trendShape([-Number.MAX_VALUE, Number.MAX_VALUE], {
      kind: 'none',
    }).points;
    expect(least!.y).toBeGreaterThan(most!.y);
  });
});
