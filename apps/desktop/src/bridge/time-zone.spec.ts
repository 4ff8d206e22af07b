import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { dayIn, isTimeZone, knownTimeZone } from './time-zone.ts';

describe('a time zone of another program', () => {
  it.each(['Europe/Berlin', 'Asia/Kolkata', 'UTC'])('%s is taken', (name) => {
    expect(knownTimeZone(name)).toEqual({ ok: true, value: name });
  });

  it.each([null, undefined, '', 'Mars/Olympus', 7, {}, ['UTC'], 'UTC\0', 'x'.repeat(5000)])(
    '%j counts as absent',
    (value) => {
      expect(knownTimeZone(value)).toEqual({ ok: true, value: undefined });
    },
  );

  it('is one that days can be told in, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const taken = knownTimeZone(value);
        if (!taken.ok) throw new Error('refused');
        expect(taken.value === undefined || isTimeZone(taken.value)).toBe(true);
        expect(dayIn(taken.value, new Date(0))).toMatch(/^19(?:69|70)-\d\d-\d\d$/u);
      }),
    );
  });
});

describe('the day in a zone', () => {
  it('changes at its own midnight, on days of 23 and 25 hours too', () => {
    const days = (timeZone: string, ...at: string[]): string[] =>
      at.map((one) => dayIn(timeZone, new Date(one)));
    expect(days('Asia/Kolkata', '2026-11-22T18:29:59Z', '2026-11-22T18:30:00Z')).toEqual([
      '2026-11-22',
      '2026-11-23',
    ]);
    expect(
      days(
        'Europe/Berlin',
        ...['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
        ...['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
      ),
    ).toEqual([
      ...['2026-03-29', '2026-03-29', '2026-03-30'],
      ...['2026-10-25', '2026-10-25', '2026-10-26'],
    ]);
  });
});
