import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { ageOn, today } from './age.ts';

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

function monthsOf(birthDate: string, on: string): number {
  const { years, months } = ageOn(birthDate, on)!;
  return years * 12 + months;
}

describe('ageOn', () => {
  it.each([
    ['1985-03-07', '2026-11-22', { years: 41, months: 8, days: 15 }],
    ['2024-08-16', '2026-11-22', { years: 2, months: 3, days: 6 }],
    ['1985-11-22', '2026-11-22', { years: 41, months: 0, days: 0 }],
    ['1985-11-23', '2026-11-22', { years: 40, months: 11, days: 30 }],
    ['2024-02-29', '2025-02-28', { years: 1, months: 0, days: 0 }],
    ['2026-01-31', '2026-02-28', { years: 0, months: 1, days: 0 }],
    ['2026-01-31', '2026-03-01', { years: 0, months: 1, days: 1 }],
  ])('of %s on %s', (birthDate, on, age) => {
    expect(ageOn(birthDate, on)).toEqual(age);
  });

  it.each(['', '1985', '1985-02-30', '1985-13-01', '0000-00-00', '07/03/1985', '2026-11-23'])(
    'is not known of %j',
    (birthDate) => {
      expect(ageOn(birthDate, '2026-11-22')).toBeUndefined();
    },
  );

  it('is none before the birth, nothing on its day, and never goes down', () => {
    fc.assert(
      fc.property(day, day, day, (...days) => {
        const [born, one, other] = days.toSorted() as [string, string, string];
        expect(ageOn(born, born)).toEqual({ years: 0, months: 0, days: 0 });
        if (one > born) expect(ageOn(one, born)).toBeUndefined();
        expect(monthsOf(born, other)).toBeGreaterThanOrEqual(monthsOf(born, one));
        const { months, days: left } = ageOn(born, other)!;
        expect(months >= 0 && months < 12 && left >= 0 && left < 31).toBe(true);
      }),
    );
  });
});

describe('today', () => {
  it('is the day of the time zone', () => {
    const at = new Date('2026-11-22T23:30:00Z');
    expect(today({ timeZone: 'UTC' }, at)).toBe('2026-11-22');
    expect(today({ timeZone: 'Asia/Tokyo' }, at)).toBe('2026-11-23');
    expect(today({ timeZone: 'America/New_York' }, at)).toBe('2026-11-22');
  });
});
