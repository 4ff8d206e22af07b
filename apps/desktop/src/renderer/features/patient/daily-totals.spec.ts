import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { MindfulnessMinutesPoint } from '@caregate/domain';
import { computeDailyTotals, sum } from './daily-totals.ts';

function session(start: string, value = 10): MindfulnessMinutesPoint {
  return { start, end: start, unit: 'min', value };
}

it('counts a session for the day on which it began, by its own offset', () => {
  const late = [session('2026-03-08T01:00:00+01:00', 5), session('2026-03-07T23:30:00-08:00')];
  expect(computeDailyTotals(late)).toEqual([
    { day: '2026-03-07', minutes: 10 },
    { day: '2026-03-08', minutes: 5 },
  ]);
});

const points = fc.array(
  fc.record({
    at: fc.date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true }),
    offset: fc.constantFrom('Z', '+05:45', '-11:00', '+14:00', '-00:30'),
    value: fc.double({ min: 0, max: 1440, noNaN: true }),
  }),
  { maxLength: 200 },
);

describe('daily totals', () => {
  it('add up to all sessions, with each day once and in order', () => {
    fc.assert(
      fc.property(points, (all) => {
        const totals = computeDailyTotals(
          all.map(({ at, offset, value }) =>
            session(`${at.toISOString().slice(0, -1)}${offset}`, value),
          ),
        );
        const days = totals.map(({ day }) => day);
        expect(days).toEqual([...new Set(days)].sort());
        expect(sum(totals.map(({ minutes }) => minutes))).toBeCloseTo(
          sum(all.map(({ value }) => value)),
          6,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('do not lose fractions', () => {
    expect(sum(Array.from({ length: 100_000 }, () => 0.1))).toBe(10_000);
  });
});
