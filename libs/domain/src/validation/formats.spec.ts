import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import * as formats from './formats.ts';
import {
  hasValidLoincCheckDigit,
  toInstant,
  toQueryInstant,
  isCalendarDate,
  isDateTime,
  isUuid,
} from './formats.ts';

const DIGITS = '0123456789'.split('');

/** Texts that a format takes, and texts that it refuses. */
const TEXTS = {
  isDateTime: [
    [
      ...['2024-05-01T08:30:00Z', '2024-05-01t08:30:00z', '2024-05-01T08:30:00.123456789+05:45'],
      ...['2024-02-29T23:59:59-12:00', '2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00'],
      '0000-01-01T00:00:00Z',
    ],
    [
      ...['2024-05-01T08:30:00', '2024-05-01 08:30:00Z', '2024-05-01T08:30Z'],
      ...['2024-05-01T24:00:00Z', '2024-05-01T08:60:00Z', '2024-05-01T08:30:60Z'],
      ...['2024-05-01T08:30:00.Z', '2024-05-01T08:30:00+24:00', '2024-05-01T08:30:00+0200'],
      ...['2024-05-01T08:30:00+02:60', '2024-05-01T08:30:00Z ', '2023-02-29T08:30:00Z'],
      ...['1900-02-29T08:30:00Z', '2024-04-31T08:30:00Z', '2024-13-01T08:30:00Z'],
      ...['2024-00-01T08:30:00Z', '2024-01-00T08:30:00Z', '٢٠٢٤-05-01T08:30:00Z'],
    ],
  ],
  isQueryDate: [
    ['2024-05-01T08:30', '2024-05-01T08:30:00', '2024-05-01T08:30+02:00', '2024-05-01'],
    ['2024-05-01T08', '2024-05-01T08:30:00 02:00', '', '20240501', '2024-05-01T'],
  ],
  isTimeZoneId: [
    ['Asia/Calcutta', 'Etc/GMT+5', 'UTC'],
    ['Mars/Olympus', 'europe/berlin ', '+01:00', 'CET', '', 'Europe/', `A/${'b'.repeat(99)}`],
  ],
  isPhoneNumber: [
    ['+14155550123', '+49 30 901820', '+1 (415) 555-0123', '+380 44 555 01 23'],
    [
      ...['4155550123', '+1', '+', '+0049301234567', '+1 415 555 0123 ext 4'],
      // The last is long and hostile.
      ...['+1234567890123456', '++14155550123', `+${'1 ('.repeat(10_000)}`],
    ],
  ],
  isUuid: [
    [],
    [
      ...['', '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a1', '{3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a1}'],
      '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a1O',
    ],
  ],
  // Codes as LOINC publishes them: glucose, hemoglobin, hemoglobin A1c, cholesterol, TSH, vitamin D.
  hasValidLoincCheckDigit: [
    ['2345-7', '718-7', '4548-4', '2093-3', '3016-3', '1989-3'],
    ['', '2345', '2345-', '-7', 'LP2345-7', '2345-77'],
  ],
} as const satisfies Partial<Record<keyof typeof formats, readonly [string[], string[]]>>;

it.each(Object.keys(TEXTS) as (keyof typeof TEXTS)[])('%s takes and refuses', (name) => {
  const [takes, refuses] = TEXTS[name];
  const taken = (texts: readonly string[]): string[] => texts.filter((text) => formats[name](text));
  expect([taken(takes), taken(refuses)]).toEqual([takes, []]);
});

describe('isDateTime', () => {
  it('takes every moment the platform can write, and toInstant gives it back', () => {
    const latest = new Date('9999-12-31T23:59:59Z');
    const earliest = new Date('0000-01-01T00:00:00Z');
    fc.assert(
      fc.property(fc.date({ min: earliest, max: latest, noInvalidDate: true }), (date) => {
        expect(isDateTime(date.toISOString())).toBe(true);
        expect(toInstant(date.toISOString())).toBe(date.getTime() * 1000);
      }),
    );
  });

  it('never takes a text that one changed character makes impossible for the platform', () => {
    const place = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(place, fc.constantFrom(...DIGITS), (at, digit) => {
        const base = '2024-06-15T12:34:56Z';
        const text = /\d/u.test(base.charAt(at))
          ? base.slice(0, at) + digit + base.slice(at + 1)
          : base;
        const parsed = new Date(text);
        const real =
          !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text.slice(0, 19));
        expect(isDateTime(text)).toBe(real);
      }),
    );
  });
});

describe('isCalendarDate', () => {
  it('agrees with the calendar on every day of 1896 to 2104 and the impossible ones between', () => {
    for (let year = 1896; year <= 2104; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          if (isCalendarDate(text) !== (day >= 1 && day <= days)) {
            throw new Error(text);
          }
        }
      }
    }
  });
});

describe('instants', () => {
  it('reads offsets, fractions and what a query may leave out', () => {
    expect(toInstant('1970-01-01T01:00:00+01:00')).toBe(0);
    expect(toInstant('1970-01-01T00:00:00.000001Z')).toBe(1);
    expect(toInstant('1970-01-01T00:00:00.0000019Z')).toBe(1);
    expect(toInstant('1970-01-01T00:01')).toBe(60_000_000);
    expect(toInstant('2016-12-31T23:59:60Z')).toBe(toInstant('2017-01-01T00:00:00Z'));
  });

  it('reads a day without time as its first or its last second, in UTC', () => {
    expect(toQueryInstant('2024-05-01', 'start')).toBe(toInstant('2024-05-01T00:00:00Z'));
    expect(toQueryInstant('2024-05-01', 'end')).toBe(toInstant('2024-05-01T23:59:59Z'));
  });
});

it('isUuid takes any version in either case', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (id, upper) => isUuid(upper ? id.toUpperCase() : id)),
  );
});

it('hasValidLoincCheckDigit accepts exactly one check digit per number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999 }), (number) => {
      const fitting = DIGITS.filter((digit) => hasValidLoincCheckDigit(`${number}-${digit}`));
      expect(fitting).toHaveLength(1);
    }),
  );
});
