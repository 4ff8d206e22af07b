import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { createIntl, useIntl } from 'react-intl';
import fc from '@caregate/seeded';
import { renderMarkup, extractText } from '../render.testing.ts';
import { computeAge, getToday } from './age.ts';
import {
  formatDay,
  formatDate,
  formatLongDate,
  formatDateTime,
  formatTime,
  formatWeekdayDate,
} from './dates.tsx';
import { getInitials } from './initials.ts';
import { formatPhone } from './phone.ts';

/** Each value as it was received and as it is shown. */
const written: readonly (readonly [(typed: string) => unknown, [string, string | undefined][]])[] =
  [
    [
      getInitials,
      [
        ['Priya Raman', 'PR'],
        ['Dr. Leila Haddad', 'LH'],
        ['Dr. Haddad', 'DH'],
        ['María José Peralta Ruiz', 'MR'],
        ['Cher', 'C'],
        ['ليلى حداد', 'لح'],
        ['E\u0301lodie Å', 'E\u0301Å'],
        ['  ', ''],
      ],
    ],
    [
      formatPhone,
      [
        ['+1 212-555-0123 ext. 5', '(212) 555-0123 ext. 5'],
        ['+442079460018', '+44 20 7946 0018'],
        // The country of these numbers is unknown, or they are no phone numbers.
        ['2125550123', '2125550123'],
        ['ask the front desk', 'ask the front desk'],
        ['', ''],
      ],
    ],
  ];

describe('a value that somebody has typed', () => {
  it.each(written.flatMap(([read, all]) => all.map((one) => [read.name, read, ...one] as const)))(
    '%s',
    (_name, read, typed, shown) => {
      expect(read(typed)).toBe(shown);
    },
  );
});

describe('today', () => {
  it.each([
    ['UTC', '2026-11-24'],
    ['Europe/Zurich', '2026-11-25'],
    ['America/New_York', '2026-11-24'],
  ])('is the day in %s', (timeZone, day) => {
    expect(getToday({ timeZone }, new Date('2026-11-24T23:05:00Z'))).toBe(day);
  });
});

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('an age', () => {
  it.each([
    ['1985-03-07', '2026-11-22', { years: 41, months: 8, days: 15 }],
    ['1985-11-23', '2026-11-22', { years: 40, months: 11, days: 30 }],
    ['2024-02-29', '2025-02-28', { years: 1, months: 0, days: 0 }],
    ['2026-01-31', '2026-03-01', { years: 0, months: 1, days: 1 }],
    ['', '2026-11-22', undefined],
    ['1985-02-30', '2026-11-22', undefined],
    ['07/03/1985', '2026-11-22', undefined],
  ])('of %j on %s', (birthDate, on, age) => {
    expect(computeAge(birthDate, on)).toEqual(age);
  });

  it('is undefined before the birth, zero on that day, and never decreases', () => {
    const monthsOf = (born: string, on: string): number => {
      const { years, months } = computeAge(born, on)!;
      return years * 12 + months;
    };
    fc.assert(
      fc.property(day, day, day, (...days) => {
        const [born, one, other] = days.toSorted() as [string, string, string];
        expect(computeAge(born, born)).toEqual({ years: 0, months: 0, days: 0 });
        if (one > born) expect(computeAge(one, born)).toBeUndefined();
        expect(monthsOf(born, other)).toBeGreaterThanOrEqual(monthsOf(born, one));
        const { months, days: left } = computeAge(born, other)!;
        expect(months >= 0 && months < 12 && left >= 0 && left < 31).toBe(true);
      }),
    );
  });
});

function Times({ at }: { at: string }): ReactElement {
  const intl = useIntl();
  const times = [formatDateTime(intl, at), formatDay(intl, at), formatTime(intl, at)];
  return createElement('p', {}, times.join('; '));
}

it.each([
  [...(['en', 'America/New_York'] as const), ['11/20/2026, 2:05 PM; 11/20/2026; 2:05 PM']],
  // In Kolkata, the next day has begun.
  ['es', 'Asia/Kolkata', ['21/11/2026, 0:35;', ' 0:35']],
  ['ar', 'Asia/Riyadh', ['20 نوفمبر 2026 في 10:05 م', ' 10:05 م']],
] as const)('times are in the zone of the page, as its locale writes them: %s, %s', (...given) => {
  const [language, zone, parts] = given;
  const shownText = extractText(
    renderMarkup(createElement(Times, { at: '2026-11-20T19:05:09Z' }), language, {
      timeZone: zone,
    }),
  );
  for (const part of parts) expect(shownText).toContain(part);
});

it('an invalid time is shown unchanged', () => {
  const intl = createIntl({ locale: 'en' });
  expect(formatDay(intl, 'soon')).toBe('soon');
  expect(formatDateTime(intl, 'soon')).toBe('soon');
});

describe('a day', () => {
  it.each([
    ['en', '03/07/1985', 'Thursday, 03/07/1985', 'Thursday, March 7, 1985'],
    ['en-GB', '07/03/1985', 'Thursday, 07/03/1985', 'Thursday, 7 March 1985'],
    ['es', '07/03/1985', 'jueves, 07/03/1985', 'jueves, 7 de marzo de 1985'],
    ['ar', '7 مارس 1985', 'الخميس، 7 مارس 1985', 'الخميس، 7 مارس 1985'],
    ['ar-SA', '٧ مارس ١٩٨٥', 'الخميس، ٧ مارس ١٩٨٥', 'الخميس، ٧ مارس ١٩٨٥'],
  ])('is written as %s does: %s', (locale, day, weekday, long) => {
    const intl = createIntl({ locale, timeZone: 'Pacific/Honolulu' });
    const noon = new Date('1985-03-07T22:00:00Z');
    expect(formatDate(intl, '1985-03-07')).toBe(day);
    expect(formatDay(intl, noon.toISOString())).toBe(day);
    expect(formatWeekdayDate(intl, '1985-03-07')).toBe(weekday);
    expect(formatLongDate(intl, noon)).toBe(long);
  });

  it.each(['', '1985-02-30', '1985-13-01', '03/07/1985'])(
    'that does not exist is shown as it came: %j',
    (date) => {
      const intl = createIntl({ locale: 'en' });
      expect(formatDate(intl, date)).toBe(date);
      expect(formatWeekdayDate(intl, date)).toBe(date);
    },
  );
});
