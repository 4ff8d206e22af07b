import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { pauseAfter, pauseMs } from './pace.ts';

const when = fc.integer({ min: 0, max: 1_000_000 });
const since = fc.integer({ min: 0, max: 249 });

describe('what is typed', () => {
  it('is searched at once where the key before was pressed as long before as by a hand', () => {
    fc.assert(
      fc.property(when, fc.integer({ min: 81, max: 999 }), since, (before, gap, late) => {
        expect(pauseAfter({ before, last: before + gap }, before + gap + late)).toBe(0);
      }),
    );
  });

  it('waits for the next key at the pace of a scanner, or where it may be the first of a scan', () => {
    const gap = fc.oneof(
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 1000, max: 1_000_000 }),
      fc.constant(Infinity),
    );
    fc.assert(
      fc.property(when, gap, since, (last, ago, late) => {
        expect(pauseAfter({ before: last - ago, last }, last + late)).toBe(pauseMs);
      }),
    );
  });

  it('waits where no key has brought it', () => {
    expect(pauseAfter({ before: 0, last: 150 }, 400)).toBe(pauseMs);
    expect(pauseAfter({ before: -Infinity, last: -Infinity }, 5)).toBe(pauseMs);
  });
});
