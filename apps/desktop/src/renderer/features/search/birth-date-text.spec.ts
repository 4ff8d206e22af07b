import { describe, expect, it } from '@jest/globals';
import { formatExampleBirthDate, toSearchTexts, withServiceDate } from './birth-date-text.ts';

const today = '2026-11-24';

describe('a birth date in a search', () => {
  it.each([
    // In the United States, the month comes first.
    ['en-US', '3/7/85', '1985-03-07'],
    ['en-US', '03/07/1985', '1985-03-07'],
    ['en-US', '03071985', '1985-03-07'],
    ['en-US', 'march 7 85', '1985-03-07'],
    ['en-US', 'March 7, 1985', '1985-03-07'],
    ['en-US', 'Mar. 7 1985', '1985-03-07'],
    ['en-US', 'sept 9 01', '2001-09-09'],
    ['en', '3/7/85', '1985-03-07'],
    ['en-US', '1985-03-07', '1985-03-07'],
    // 12 and 13 form a date in only one order.
    ['en-US', '12/13/1985', '1985-12-13'],
    ['en-US', '13/12/1985', undefined],
    ['en-US', '12131985', '1985-12-13'],
    // This is a number and not a date.
    ['en-US', '13121985', '13121985'],
    ['en-US', '19850307', '19850307'],
    ['en-GB', '13/12/1985', '1985-12-13'],
    ['en-GB', '12/13/1985', undefined],
    ['en-GB', '13121985', '1985-12-13'],
    ['en-GB', '7 march 85', '1985-03-07'],
    ['en-GB', 'march 7 85', undefined],
    // Dates in another order or form find nobody.
    ['en-US', '7 march 85', undefined],
    ['en-US', '1985/03/07', undefined],
    ['en-US', '3.7.85', undefined],
    ['en-US', '3-7-85', undefined],
    ['en-US', '3 7 85', undefined],
    ['en-US', 'okon 13/12/1985', undefined],
    // These dates are incomplete.
    ['en-US', '3/', undefined],
    ['en-US', '3/7', undefined],
    ['en-US', '3/7/198', undefined],
    ['en-US', 'okon 3/7/1', undefined],
    // A birth date must exist and must not be in the future.
    ['en-US', '2/29/84', '1984-02-29'],
    ['en-US', '2/29/85', undefined],
    ['en-US', '02291984', '1984-02-29'],
    ['en-US', '02/29/1900', undefined],
    ['en-US', '2/29/00', '2000-02-29'],
    ['en-US', '2/29/28', '1928-02-29'],
    ['en-US', 'february 30 85', undefined],
    ['en-US', '1985-02-30', undefined],
    ['en-US', '11/24/26', '2026-11-24'],
    ['en-US', '11/25/26', '1926-11-25'],
    ['en-US', '11/25/2026', undefined],
    ['en-US', '3/7/1885', undefined],
    // A date may stand beside a name, and the name may be a month too.
    ['en-US', 'okon 3/7/85', 'okon 1985-03-07'],
    ['en-US', '3/7/85 okon', 'okon 1985-03-07'],
    ['en-US', 'okon march 7 85', 'okon 1985-03-07'],
    ['en-US', 'Okonkwo, Amara 03/07/1985', 'Okonkwo Amara 1985-03-07'],
    ['en-US', 'may', 'may'],
    ['en-US', 'may 7', 'may 7'],
    ['en-US', 'may 7 8', 'may 7 8'],
    ['en-US', 'may 7 85', '1985-05-07'],
    ['en-US', 'may 5/7/85', 'may 1985-05-07'],
    ['en-US', 'may may 7 85', 'may 1985-05-07'],
    ['en-US', 'april may', 'april may'],
    ['en-US', 'may okonkwo', 'may okonkwo'],
    // These are a phone number, an MRN, and a name with a year.
    ['en-US', 'okon 85', 'okon 85'],
    ['en-US', '555 0123', '555 0123'],
    ['en-US', '(212) 555-0123', '(212) 555-0123'],
    ['en-US', '01 23 45 67 89', '01 23 45 67 89'],
    ['en-US', 'MRN-000101', 'MRN-000101'],
    ['en-US', '000101', '000101'],
    ['en-US', '', ''],
    // In Spanish and Arabic, the day comes first.
    ['es', '7/3/85', '1985-03-07'],
    ['es', '07031985', '1985-03-07'],
    ['es', '3/13/85', undefined],
    ['es', '7 de marzo de 1985', '1985-03-07'],
    ['es', '7 mar 85', '1985-03-07'],
    ['es', 'marzo 7 85', undefined],
    ['es', 'de la Cruz 7 de marzo de 1985', 'de la Cruz 1985-03-07'],
    ['ar', '7/3/85', '1985-03-07'],
    ['ar', '٧/٣/٨٥', '1985-03-07'],
    ['ar', '٠٧٠٣١٩٨٥', '1985-03-07'],
    ['ar', '7 مارس 1985', '1985-03-07'],
    ['ar', 'ليلى ٧ مارس ١٩٨٥', 'ليلى 1985-03-07'],
    ['ar-SA', '7/3/1985', '1985-03-07'],
  ])('in %s, %j is searched as %j', (locale, typed, searched) => {
    expect(withServiceDate(typed, { locale, today })).toBe(searched);
  });
});

it.each([
  ['eight digits as an MRN or phone number too', '03071985', ['03071985', '1985-03-07']],
  ['another date only as a date', '3/7/85', ['1985-03-07']],
  ['a date of no day not at all', '13/12/1985', []],
])('searches for %s', (_, typed, texts) => {
  expect(toSearchTexts(typed, { locale: 'en-US', today })).toEqual(texts);
});

it.each([
  ['en-US', '3/7/85', 'month'],
  ['en-GB', '7/3/85', 'day'],
  ['es', '7/3/85', 'day'],
  ['ar', '7/3/85', 'day'],
])('for %s, the example is %s, which is read', (locale, written, first) => {
  expect(formatExampleBirthDate(locale)).toEqual({ written, first });
  expect(withServiceDate(written, { locale, today })).toBe('1985-03-07');
});
