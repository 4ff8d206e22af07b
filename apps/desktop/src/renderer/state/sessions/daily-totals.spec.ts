import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { MindfulnessMinutesPoint } from '@caregate/domain';
import { dailyTotals, gapsIn, sum } from './daily-totals.ts';
import type { DayZone } from './daily-totals.ts';

function session(start: string, value = 10): MindfulnessMinutesPoint {
  return { start, end: start, unit: 'min', value };
}
const zone = (id: string): DayZone => ({ kind: 'zone', id });
const own: DayZone = { kind: 'own' };
const days = (points: MindfulnessMinutesPoint[], by: DayZone): string[] =>
  dailyTotals(points, by).map(
    ({ day, minutes, shift }) => `${day} ${String(minutes)} ${shift ?? ''}`,
  );

describe('the day of a session', () => {
  it('is by its own offset, by the zone of choice, and never both', () => {
    const late = [session('2026-03-07T23:30:00-08:00')];
    expect(days(late, own)).toEqual(['2026-03-07 10 ']);
    expect(days(late, zone('Europe/Berlin'))).toEqual(['2026-03-08 10 ']);
    expect(days(late, zone('Pacific/Kiritimati'))).toEqual(['2026-03-08 10 ']);
  });

  it('ends at midnight of the zone, to the millisecond', () => {
    const points = [session('2026-06-01T21:59:59.999Z', 1), session('2026-06-01T22:00:00Z', 2)];
    expect(days(points, zone('Europe/Berlin'))).toEqual(['2026-06-01 1 ', '2026-06-02 2 ']);
  });

  it.each([
    // 23 and 25 hours; Lord Howe's change is half an hour; Apia left out a whole day.
    ['Europe/Berlin', '2026-03-29', ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z']],
    ['Europe/Berlin', '2026-10-25', ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z']],
    ['America/New_York', '2026-11-01', ['2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z']],
    ['Australia/Lord_Howe', '2026-04-05', ['2026-04-04T13:00:00Z', '2026-04-05T13:29:59Z']],
  ])('is whole where the clocks of %s change: %s', (id, day, starts) => {
    const points = starts.map((start) => session(start));
    expect(days(points, zone(id))).toEqual([`${day} 20 clockChange`]);
  });

  it('is told apart where its sessions have several offsets', () => {
    const points = [
      session('2026-03-29T01:00:00+01:00'),
      session('2026-03-29T04:00:00+02:00'),
      session('2026-03-30T04:00:00Z'),
      session('2026-03-30T05:00:00+00:00'),
    ];
    expect(days(points, own)).toEqual(['2026-03-29 20 offsets', '2026-03-30 20 ']);
  });
});

const points = fc.array(
  fc.record({
    at: fc.date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true }),
    offset: fc.constantFrom('Z', '+05:45', '-11:00', '+14:00', '-00:30'),
    value: fc.double({ min: 0, max: 1440, noNaN: true }),
  }),
  { maxLength: 200 },
);
const zones = fc.constantFrom<DayZone>(
  own,
  ...['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'].map(zone),
  ...['Pacific/Apia', 'Africa/Monrovia', 'America/Sao_Paulo', 'UTC'].map(zone),
);

describe('the totals of any sessions in any zone', () => {
  it('are the sum of the sessions, each in one day, days in order and once', () => {
    fc.assert(
      fc.property(points, zones, (made, by) => {
        const sessions = made.map(({ at, offset, value }) =>
          session(`${at.toISOString().slice(0, -1)}${offset}`, value),
        );
        const totals = dailyTotals(sessions, by);
        const inDays = totals.flatMap((day) => day.sessions);
        expect(new Set(inDays)).toEqual(new Set(sessions));
        expect(inDays).toHaveLength(sessions.length);
        const names = totals.map(({ day }) => day);
        expect(names).toEqual([...new Set(names)].sort());
        expect(sum(totals.map(({ minutes }) => minutes))).toBeCloseTo(
          sum(sessions.map(({ value }) => value)),
          6,
        );
        for (const { day, minutes, sessions: of } of totals) {
          expect(minutes).toBe(sum(of.map(({ value }) => value)));
          if (by.kind === 'zone') {
            // By another way: the calendar of the zone itself.
            const format = new Intl.DateTimeFormat('sv-SE', { timeZone: by.id });
            for (const { start } of of) expect(format.format(new Date(start))).toBe(day);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('of whole minutes are exact', () => {
    expect(sum(Array.from({ length: 100_000 }, () => 0.1))).toBe(10_000);
  });
});

describe('a week without a session', () => {
  const range = { first: '2026-05-01', last: '2026-05-31' };

  it('is a gap, also at either end, and six days are none', () => {
    expect(gapsIn(['2026-05-08', '2026-05-15', '2026-05-23'], range)).toEqual([
      { first: '2026-05-01', last: '2026-05-07' },
      { first: '2026-05-16', last: '2026-05-22' },
      { first: '2026-05-24', last: '2026-05-31' },
    ]);
  });

  it('is all of the range where nothing was measured', () => {
    expect(gapsIn([], range)).toEqual([range]);
    expect(gapsIn([], { first: '2026-05-01', last: '2026-05-06' })).toEqual([]);
  });
});
