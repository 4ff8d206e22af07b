import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
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
        expect(readDay(writtenDay(day, locale), locale)).toEqual({ day });
        expect(readDay(day, locale)).toEqual({ day });
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
  ] as const)('%j in %s is %j', (typed, locale, day) => {
    expect(readDay(typed, locale)).toEqual({ day });
  });

  it.each([
    ['31/02/1985', 'es', 'noSuchDay'],
    ['29/02/2026', 'es', 'noSuchDay'],
    ['7/13/1985', 'es', 'noSuchDay'],
    ['13/7/1985', 'en-US', 'noSuchDay'],
    ['0/3/1985', 'es', 'noSuchDay'],
    ['2026-02-30', 'es', 'noSuchDay'],
    ['7/3/1899', 'es', 'year'],
    ['7/3/2200', 'es', 'year'],
    ['31/02/0001', 'es', 'year'],
    ['7/3/85', 'es', 'incomplete'],
    ['7/3/19855', 'es', 'incomplete'],
    ['007/3/1985', 'es', 'incomplete'],
    ['7/3', 'es', 'incomplete'],
    ['7/3/1985/', 'es', 'incomplete'],
    ['', 'es', 'incomplete'],
    ['soon', 'es', 'incomplete'],
  ] as const)('%j in %s is none: %s', (typed, locale, wrong) => {
    expect(readDay(typed, locale)).toEqual({ wrong });
  });

  it('is a day that there is, or has one thing wrong with it, whatever was typed', () => {
    const part = fc.oneof(fc.nat(40), fc.nat(3000)).map(String);
    const parts = fc.array(part, { maxLength: 4 }).map((all) => all.join('/'));
    fc.assert(
      fc.property(fc.oneof(parts, fc.string()), fc.constantFrom(...locales), (typed, locale) => {
        const read = readDay(typed, locale);
        if ('wrong' in read) expect(['incomplete', 'year', 'noSuchDay']).toContain(read.wrong);
        else expect(new Date(`${read.day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(read.day);
      }),
    );
  });
});
