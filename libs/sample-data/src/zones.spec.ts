import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { places } from './person.ts';
import { HOUR, MINUTE } from './time.ts';
import { formatDateTimeInZone, toInstant } from './zones.ts';

describe('zones', () => {
  it('finds the instant of each local time that exists, and moves a skipped one forward', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places.map((place) => place.zone)),
        fc.integer({ min: Date.UTC(2020, 0) / MINUTE, max: Date.UTC(2027, 0) / MINUTE }),
        (zone, minutes) => {
          const local = minutes * MINUTE;
          const shown = formatDateTimeInZone(zone, toInstant(zone, local)).slice(0, 19);
          const moved = Date.parse(`${shown}Z`) - local;
          expect([0, HOUR]).toContain(moved);
        },
      ),
      { numRuns: 500 },
    );
    const skipped = toInstant('America/New_York', Date.UTC(2026, 2, 8, 2, 30));
    expect(formatDateTimeInZone('America/New_York', skipped)).toBe('2026-03-08T03:30:00-04:00');
  });
});
