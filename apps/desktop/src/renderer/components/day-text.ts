/** The parts of a day, in the order that a language writes them in. */
export type DayPart = 'day' | 'month' | 'year';

export function dayOrder(locale: string): DayPart[] {
  // The service counts in Gregorian days, whatever calendar the region has.
  const format = new Intl.DateTimeFormat(locale, { calendar: 'gregory', dateStyle: 'short' });
  const types = format.formatToParts(new Date(0)).map(({ type }) => type);
  return types.filter((type) => type === 'day' || type === 'month' || type === 'year');
}

/** A day, YYYY-MM-DD, in the order of the language: 07/03/1985. */
export function writtenDay(day: string, locale: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const parts = { year, month, day: date };
  return dayOrder(locale)
    .map((part) => parts[part])
    .join('/');
}

/** The day, YYYY-MM-DD, that was typed in the order of the language or as it stands here; undefined where it is none. */
export function readDay(typed: string, locale: string): string | undefined {
  const numbers = latin(typed).trim().split(/\D+/u);
  const isIso = /^\d{4}-/u.test(latin(typed).trim());
  const order = isIso ? (['year', 'month', 'day'] as const) : dayOrder(locale);
  if (numbers.length !== 3) return undefined;
  const part = (name: DayPart): string => numbers[order.indexOf(name)] ?? '';
  const day = `${part('year')}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`;
  const parsed = new Date(`${day}T00:00:00Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(day) && !Number.isNaN(parsed.getTime());
  // The 31st of a month that has none would be read as a day of the next one.
  return isDay && parsed.toISOString().startsWith(day) ? day : undefined;
}

/** Arabic digits, of the east and of Persia, as 0 to 9. */
function latin(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) =>
    String(digit.charCodeAt(0) & 15),
  );
}
