import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { GroupedMindfulnessMinutes } from '@caregate/domain';
import { getToday } from '../../ui/values/age.ts';
import { getLatestDays, sumByDay } from './use-mindfulness.ts';

const always = { first: '1970-01-01', last: '2037-12-31' };

describe('the latest days', () => {
  // When it is evening in Chicago, UTC already has the next day.
  const here = getToday({ timeZone: 'America/Chicago' }, new Date('2026-03-02T03:00:00Z'));

  it('end with the day of the clinic', () => {
    expect(getLatestDays({}, here)).toEqual({ first: '2026-01-31', last: '2026-03-01' });
  });

  it("stay within the days of the patient's data", () => {
    const user = { ingestion_start: '2026-01-10', ingestion_end: '2026-01-20' };
    expect(getLatestDays(user, here)).toEqual({ first: '2026-01-10', last: '2026-01-20' });
  });
});

function pageOf(
  provider: string,
  type: string,
  ...starts: readonly string[]
): GroupedMindfulnessMinutes {
  const data = starts.map((start) => ({ start, end: start, unit: 'min' as const, value: 10 }));
  return { groups: { [provider]: [{ data, source: { provider, type } }] } };
}

describe('the minutes of each day', () => {
  it('count a session for the day on which it began, by its own offset', () => {
    const page = pageOf('oura', 'ring', '2026-03-08T01:00:00+01:00', '2026-03-07T23:30:00-08:00');
    const [source] = sumByDay([page], always);
    expect([...source!.minutes]).toEqual([
      ['2026-03-08', 10],
      ['2026-03-07', 10],
    ]);
  });

  it('leave out other days', () => {
    const page = pageOf('oura', 'ring', '2026-03-08T01:00:00Z', '2026-03-09T01:00:00Z');
    const [source] = sumByDay([page], { first: '2026-03-09', last: '2026-03-10' });
    expect([...source!.minutes.keys()]).toEqual(['2026-03-09']);
  });

  it('have every session of all pages once, apart by provider and type of source', () => {
    const page = fc.tuple(
      fc.constantFrom('fitbit', 'garmin', '__proto__'),
      fc.constantFrom('watch', 'app'),
      fc.array(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T12:00:00+05:45')),
    );
    fc.assert(
      fc.property(fc.array(page, { maxLength: 6 }), (all) => {
        const sources = sumByDay(
          all.map(([provider, type, starts]) => pageOf(provider, type, ...starts)),
          always,
        );
        const sessions = all.flatMap(([, , starts]) => starts).length;
        const minutes = sources.flatMap((one) => [...one.minutes.values()]);
        expect(minutes.reduce((sum, one) => sum + one, 0)).toBe(10 * sessions);
        const kinds = new Set(all.map(([provider, type]) => `${provider} ${type}`));
        expect(sources).toHaveLength(kinds.size);
      }),
    );
  });
});
