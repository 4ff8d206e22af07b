import { describe, expect, it } from '@jest/globals';
import { formatIsoDay } from './time-zone.ts';

describe('the day in a zone', () => {
  it('changes at the zone’s midnight, also on days of 23 and 25 hours', () => {
    const days = (timeZone: string, ...at: string[]): string[] =>
      at.map((one) => formatIsoDay(timeZone, new Date(one)));
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
