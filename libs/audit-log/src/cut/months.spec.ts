import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { isMonth, lastMonthToCut, monthAfter, monthOf, startOf } from './months.ts';

const instant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2099, 11, 31) });
const years = fc.integer({ min: 6, max: 60 });

describe('the months of the log', () => {
  it('hold each moment once', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        const month = monthOf(ms);
        expect(isMonth(month)).toBe(true);
        expect(startOf(month)).toBeLessThanOrEqual(ms);
        expect(startOf(monthAfter(month))).toBeGreaterThan(ms);
      }),
    );
  });

  it.each(['2020-1', '2020-13', '2020-00', '20-01', '2020-01-01', ' 2020-01', '2020-01\n'])(
    'do not include %j',
    (text) => {
      expect(isMonth(text)).toBe(false);
    },
  );
});

describe('the last month to cut', () => {
  it('is as long ago as must be, in each of its moments, and the month after it is not', () => {
    fc.assert(
      fc.property(instant, years, fc.double({ min: 0, max: 1, noNaN: true }), (now, kept, part) => {
        const last = lastMonthToCut(now, kept);
        const end = startOf(monthAfter(last));
        const moment = startOf(last) + Math.floor(part * (end - startOf(last) - 1));
        expect(yearsLater(moment, kept)).toBeLessThanOrEqual(now);
        // The first moment of the month after it may be just old enough; its last is not.
        expect(yearsLater(startOf(monthAfter(monthAfter(last))) - 1, kept)).toBeGreaterThan(now);
      }),
    );
  });

  it.each([
    ['2026-11-21T08:00:00Z', 6, '2020-10'],
    ['2026-11-01T00:00:00Z', 6, '2020-10'],
    ['2026-10-31T23:59:59Z', 6, '2020-09'],
    ['2028-02-29T12:00:00Z', 7, '2021-02'],
    ['2026-01-15T00:00:00Z', 7, '2018-12'],
  ])('on %s with %i years is %s', (now, kept, last) => {
    expect(lastMonthToCut(Date.parse(now), kept)).toBe(last);
  });

  it.each([5, 5.99, 0, -1, NaN])('is not told for %s years', (kept) => {
    expect(() => lastMonthToCut(Date.UTC(2026, 0), kept)).toThrow('at least 6 years');
  });
});

function yearsLater(ms: number, count: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + count);
}
