import { latinDigits } from '../../text/text.tsx';

type DayPart = 'day' | 'month' | 'year';

export function dayOrder(locale: string): DayPart[] {
  // The service counts in Gregorian days.
  const format = new Intl.DateTimeFormat(locale, { calendar: 'gregory', dateStyle: 'short' });
  const types = format.formatToParts(new Date(0)).map(({ type }) => type);
  return types.filter((type) => type === 'day' || type === 'month' || type === 'year');
}

export function writtenDay(day: string, locale: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const parts = { year, month, day: date };
  return dayOrder(locale)
    .map((part) => parts[part])
    .join('/');
}

export const YEARS = { first: 1900, last: 2199 } as const;

type WrongDay = 'incomplete' | 'year' | 'noSuchDay';

/** Reads a day in the order of the language, or as YYYY-MM-DD. */
export function readDay(
  typed: string,
  locale: string,
): { readonly day: string } | { readonly wrong: WrongDay } {
  const numbers = latinDigits(typed).trim().split(/\D+/u);
  const isIso = /^\d{4}-/u.test(latinDigits(typed).trim());
  const order = isIso ? (['year', 'month', 'day'] as const) : dayOrder(locale);
  const part = (name: DayPart): string => numbers[order.indexOf(name)] ?? '';
  const [year, month, date] = [part('year'), part('month'), part('day')];
  const isWhole = numbers.length === 3 && /^\d{4} \d\d? \d\d?$/u.test(`${year} ${month} ${date}`);
  if (!isWhole) return { wrong: 'incomplete' };
  if (Number(year) < YEARS.first || Number(year) > YEARS.last) return { wrong: 'year' };
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const parsed = new Date(`${day}T00:00:00Z`);
  // Date would read 31 June as 1 July.
  const isThere = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
  return isThere ? { day } : { wrong: 'noSuchDay' };
}
