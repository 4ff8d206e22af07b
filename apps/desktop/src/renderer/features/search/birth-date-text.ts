import { isCalendarDate } from '@caregate/domain';
import { toLatinDigits } from '../../i18n/text.tsx';

type DatePart = 'day' | 'month' | 'year';

interface Desk {
  readonly locale: string;
  /** YYYY-MM-DD. */
  readonly today: string;
}

/** The longest date has five words, such as "7 de marzo de 1985". */
const maxWords = 5;

/**
 * Replaces a birth date in the search text by YYYY-MM-DD, the only form that the service reads. The date is read as the
 * locale writes it, such as "3/7/85", "03071985" or "march 7 85" in the United States. Returns undefined for a date in
 * another order or form, or one that doesn't exist or is in the future. Such a search must find nobody rather than the
 * wrong patient.
 */
export function withServiceDate(text: string, desk: Desk): string | undefined {
  if (!/\d/u.test(toLatinDigits(text))) return text;
  const words = text.split(/[\s,]+/u).filter((word) => word !== '');
  for (let length = Math.min(words.length, maxWords); length > 0; length -= 1) {
    for (const start of [words.length - length, 0]) {
      const name = [...words.slice(0, start), ...words.slice(start + length)];
      // With other digits beside it, it is part of a phone number.
      if (/\d/u.test(toLatinDigits(name.join()))) continue;
      const date = readDate(toLatinDigits(words.slice(start, start + length).join(' ')), desk);
      if (date === 'invalid') return undefined;
      if (date !== undefined) return [...name, date].join(' ');
    }
  }
  return text;
}

/** Returns the texts to search for, or none for an invalid date. Eight digits may be a birth date, an MRN or a phone number. */
export function toSearchTexts(text: string, desk: Desk): readonly string[] {
  const withDate = withServiceDate(text, desk);
  if (withDate === undefined) return [];
  return withDate !== text && /^\d{8}$/u.test(toLatinDigits(text)) ? [text, withDate] : [withDate];
}

/** Formats March 7, 1985 in digits, as an example of the locale's form. */
export function formatExampleBirthDate(locale: string): {
  readonly written: string;
  readonly first: DatePart | undefined;
} {
  const { order, separators } = readStyle(locale, '2-digit');
  const values = { year: '85', month: '3', day: '7' };
  return {
    written: order.map((part, at) => `${values[part]}${separators[at] ?? ''}`).join(''),
    first: order[0],
  };
}

/** Returns YYYY-MM-DD, `invalid`, or undefined for a text that is not a date. */
function readDate(text: string, desk: Desk): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/u.test(text)) return isBirthDate(text, desk) ? text : 'invalid';
  if (/^\d{8}$/u.test(text)) return readDigits(text, desk);
  return readNumbers(text, desk) ?? readMonthName(text, desk);
}

/** Eight digits that are not a valid date may be a phone number or an MRN. */
function readDigits(text: string, desk: Desk): string | undefined {
  const parts = new Map<DatePart, string>();
  let at = 0;
  for (const part of readStyle(desk.locale, '2-digit').order) {
    const length = part === 'year' ? 4 : 2;
    parts.set(part, text.slice(at, at + length));
    at += length;
  }
  return toDate(parts, desk);
}

function readNumbers(text: string, desk: Desk): string | undefined {
  if (!/^\d+(?:[-./ ]\d*)+$/u.test(text)) return undefined;
  const numbers = text.split(/\D/u);
  // A phone number has no slash, so a text with one is a date, even if it is incomplete.
  if (!isDateLike(numbers)) return text.includes('/') ? 'invalid' : undefined;
  const { order, separators } = readStyle(desk.locale, '2-digit');
  if (text.replaceAll(/\d/gu, '') !== separators.join('')) return 'invalid';
  return toDate(new Map(order.map((part, at) => [part, numbers[at] ?? ''])), desk) ?? 'invalid';
}

function readMonthName(text: string, desk: Desk): string | undefined {
  const { order, separators } = readStyle(desk.locale, 'long');
  const words = text.split(' ').filter((word) => !separators.includes(word.toLowerCase()));
  const months = words.map((word) => findMonth(word, desk.locale));
  const place = months.findIndex((month) => month !== undefined);
  const numbers = words.toSpliced(place, 1);
  if (place < 0 || !isDateLike([numbers[0] ?? '', '1', ...numbers.slice(1)])) return undefined;
  if (order[place] !== 'month') return 'invalid';
  const written = words.with(place, String(months[place]));
  return toDate(new Map(order.map((part, at) => [part, written[at] ?? ''])), desk) ?? 'invalid';
}

/** Whether three numbers can be a date in any order. */
function isDateLike([one = '', two = '', three = '', ...more]: readonly string[]): boolean {
  const isDay = (text: string): boolean => /^\d\d?$/u.test(text);
  const isYear = (text: string): boolean => /^(?:\d\d|\d{4})$/u.test(text);
  const isEnd = (isDay(one) && isYear(three)) || (isYear(one) && isDay(three));
  return isEnd && isDay(two) && more.length === 0;
}

/** Converts the parts to a date. A year of two digits is the latest one that isn't in the future. */
function toDate(parts: ReadonlyMap<DatePart, string>, desk: Desk): string | undefined {
  const [year = '', month = '', day = ''] = (['year', 'month', 'day'] as const).map((part) =>
    parts.get(part)?.padStart(2, '0'),
  );
  const years = year.length === 2 ? [`20${year}`, `19${year}`] : [year];
  return years
    .map((fullYear) => `${fullYear}-${month}-${day}`)
    .find((date) => isBirthDate(date, desk));
}

function isBirthDate(date: string, { today }: Desk): boolean {
  return isCalendarDate(date) && date >= '1900-01-01' && date <= today;
}

/** Returns the order of a date's parts in the locale, and the separators between them without spaces. */
function readStyle(
  locale: string,
  month: '2-digit' | 'long',
): { readonly order: readonly DatePart[]; readonly separators: readonly string[] } {
  const format = new Intl.DateTimeFormat(locale, {
    ...{ calendar: 'gregory', timeZone: 'UTC' },
    ...{ year: 'numeric', month, day: '2-digit' },
  });
  const parts = format.formatToParts(0).map(({ type, value }) => ({
    type,
    // In Arabic, there are direction marks beside the slash.
    value: value.replaceAll(/[\s,\p{Cf}]/gu, ''),
  }));
  return {
    order: parts.flatMap(({ type }) =>
      type === 'year' || type === 'month' || type === 'day' ? [type] : [],
    ),
    separators: parts.flatMap(({ type, value }) =>
      type === 'literal' && value !== '' ? [value] : [],
    ),
  };
}

/** Returns 1 to 12 for a month's name, of which three letters are enough. */
function findMonth(word: string, locale: string): number | undefined {
  const typed = fold(word).replace(/\.$/u, '');
  if (!/^\p{L}{3,}$/u.test(typed)) return undefined;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ calendar: 'gregory', timeZone: 'UTC', month: 'long' },
  });
  const months = Array.from({ length: 12 }, (_, at) => fold(format.format(Date.UTC(2000, at))));
  const at = months.findIndex((name) => name.startsWith(typed));
  return at < 0 ? undefined : at + 1;
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '');
}
