import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { readRange } from '../results/reference-range.ts';
import { computeChartShape } from './chart.tsx';

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const points = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 2 ** 40 }), value: number }), {
    minLength: 2,
    maxLength: 11,
  })
  .map((list) => list.toSorted((one, other) => one.at - other.at));
const ranges = fc
  .record({ min_range_value: fc.option(number), max_range_value: fc.option(number) })
  .map(readRange);
const yearly = (...values: number[]) => values.map((value, at) => ({ at, value }));

describe('a chart', () => {
  it('stays in its area and goes from left to right, the higher value never below the lower', () => {
    fc.assert(
      fc.property(points, ranges, (list, range) => {
        const { points: places, band, ticks } = computeChartShape(list, range);
        expect(places).toHaveLength(list.length);
        for (const [index, { x, y }] of places.entries()) {
          for (const place of [x, y]) {
            expect(place).toBeGreaterThanOrEqual(0);
            expect(place).toBeLessThanOrEqual(100);
          }
          const next = places[index + 1];
          if (next === undefined) continue;
          expect(next.x).toBeGreaterThanOrEqual(x);
          const [value, after] = [list[index]!.value, list[index + 1]!.value];
          if (after > value) expect(next.y).toBeLessThanOrEqual(y);
          if (after < value) expect(next.y).toBeGreaterThanOrEqual(y);
        }
        if (band !== undefined) expect(band.bottom).toBeGreaterThanOrEqual(band.top);
        expect(ticks.length).toBeLessThanOrEqual(7);
        for (const { value } of ticks) expect(value).not.toBeNaN();
      }),
      { numRuns: 1000 },
    );
  });

  it('has the values of the range inside the band, and the others outside', () => {
    const { points: places, band } = computeChartShape(yearly(3, 5, 7), {
      kind: 'between',
      min: 4,
      max: 6,
    });
    const [below, inside, above] = places.map(({ y }) => y);
    expect(below).toBeGreaterThan(band!.bottom);
    expect(inside).toBeGreaterThan(band!.top);
    expect(inside).toBeLessThan(band!.bottom);
    expect(above).toBeLessThan(band!.top);
  });

  it('has a band to its edge on the side without a bound, and none without a usable range', () => {
    expect(computeChartShape(yearly(1, 2), { kind: 'upTo', max: 2 }).band?.bottom).toBe(100);
    expect(computeChartShape(yearly(1, 2), { kind: 'from', min: 1 }).band?.top).toBe(0);
    expect(computeChartShape(yearly(1, 2), { kind: 'none' }).band).toBeUndefined();
    expect(
      computeChartShape(yearly(1, 2), { kind: 'broken', min: 2, max: 1 }).band,
    ).toBeUndefined();
  });

  it('has round numbers on its axis', () => {
    const ticks = (...values: number[]) =>
      computeChartShape(yearly(...values), { kind: 'none' }).ticks.map(({ value }) => value);
    expect(ticks(0.57, 2.92)).toEqual([0, 1, 2, 3]);
    expect(ticks(0.1, 0.5)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(ticks(97, 131)).toEqual([90, 100, 110, 120, 130, 140]);
  });

  it('is a level line if all values are equal', () => {
    const { points: places, ticks } = computeChartShape(yearly(4, 4, 4), { kind: 'none' });
    expect(new Set(places.map(({ y }) => y)).size).toBe(1);
    expect(ticks.map(({ value }) => value)).toEqual([4]);
  });
});
