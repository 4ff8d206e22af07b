import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { GroupedMindfulnessMinutes } from '@caregate/domain';
import { withPage } from './panels.ts';
import type { Panel } from './panels.ts';

const point = fc.record({
  start: fc.constant('2026-01-01T00:00:00Z'),
  end: fc.constant('2026-01-01T00:10:00Z'),
  unit: fc.constant('min' as const),
  value: fc.nat(),
});
const page: fc.Arbitrary<GroupedMindfulnessMinutes> = fc.record({
  groups: fc.dictionary(
    fc.constantFrom('fitbit', 'garmin', '__proto__', 'other'),
    fc.array(
      fc.record({
        data: fc.array(point, { maxLength: 5 }),
        source: fc.record({
          provider: fc.constant('p'),
          type: fc.constantFrom('watch', 'app', 'unknown kind'),
        }),
      }),
      { maxLength: 4 },
    ),
  ),
});

describe('the panels of any pages', () => {
  it('hold every point once, one panel a provider and source type', () => {
    fc.assert(
      fc.property(fc.array(page, { maxLength: 6 }), (pages) => {
        const panels = pages.reduce<readonly Panel[]>(withPage, []);
        const all = pages.flatMap(({ groups }) =>
          Object.values(groups).flatMap((list) => list.flatMap(({ data }) => data)),
        );
        expect(panels.flatMap(({ points }) => points)).toHaveLength(all.length);
        expect(new Set(panels.flatMap(({ points }) => points))).toEqual(new Set(all));
        const keys = panels.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});
