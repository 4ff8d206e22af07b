import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayOrder, readDay, writtenDay } from './day-text.ts';

const locales = ['en-US', 'en-GB', 'es', 'es-MX', 'ar', 'ar-SA', 'ar-EG'] as const;
const days = fc
  .date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2199-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

describe('a typed day', () => {
  it('is the day that was written, in every language, and as the service has it', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...locales), (day, locale) => {
        expect(readDay(writtenDay(day, locale), locale)).toBe(day);
        expect(readDay(day, locale)).toBe(day);
      }),
    );
  });

  it('has the order of the language, of the Gregorian calendar wherever it is', () => {
    expect(dayOrder('en-US')).toEqual(['month', 'day', 'year']);
    expect(dayOrder('es')).toEqual(['day', 'month', 'year']);
    expect(dayOrder('ar-SA')).toEqual(['day', 'month', 'year']);
    expect(writtenDay('1985-03-07', 'es')).toBe('07/03/1985');
    expect(writtenDay('1985-03-07', 'en-US')).toBe('03/07/1985');
  });

  it.each([
    ['7/3/1985', 'es', '1985-03-07'],
    ['7.3.1985', 'es', '1985-03-07'],
    ['٧/٣/١٩٨٥', 'ar', '1985-03-07'],
    ['31/02/1985', 'es', undefined],
    ['7/3/85', 'es', undefined],
    ['7/13/1985', 'es', undefined],
    ['13/7/1985', 'en-US', undefined],
    ['', 'es', undefined],
    ['soon', 'es', undefined],
  ] as const)('%j in %s is %j', (typed, locale, day) => {
    expect(readDay(typed, locale)).toBe(day);
  });
});
