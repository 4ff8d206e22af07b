import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { places } from './person.ts';
import { DAY, MINUTE } from './time.ts';
import { dateTimeInZone, instantOfLocal, offsetMinutes, offsetMinutesByIntl } from './zones.ts';

const zones = places.map((place) => place.zone);

describe('zones', () => {
  it('knows the same offsets as Intl at any instant', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2029, 0) }),
        (zone, instant) => {
          expect(offsetMinutes(zone, instant)).toBe(offsetMinutesByIntl(zone, instant));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('finds the instant of each local time that exists, and moves a skipped one forward', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2020, 0) / MINUTE, max: Date.UTC(2027, 0) / MINUTE }),
        (zone, minutes) => {
          const local = minutes * MINUTE;
          const instant = instantOfLocal(zone, local);
          const shown = instant + offsetMinutes(zone, instant) * MINUTE;
          expect(shown - local).toBeGreaterThanOrEqual(0);
          expect(shown - local).toBeLessThanOrEqual(DAY / 24);
        },
      ),
      { numRuns: 2000 },
    );
    const skipped = instantOfLocal('America/New_York', Date.UTC(2026, 2, 8, 2, 30));
    expect(dateTimeInZone('America/New_York', skipped)).toBe('2026-03-08T03:30:00-04:00');
  });
});
