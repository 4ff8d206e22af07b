import { isCalendarDate } from '@caregate/domain';

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ar'];

/** Made on first use: it takes a tenth of the start-up time. */
let monthsByName: ReadonlyMap<string, number> | undefined;
const numbers = /^(\d{1,4})[-./\s]+(\d{1,2})[-./\s]+(\d{1,4})\.?$/u;
const dayFirst =
  /^(\d{1,2})(?:st|nd|rd|th|\.)?[-\s]+(?:de\s+|of\s+)?(\p{L}+)\.?,?[-\s]+(?:de\s+)?(\d{2,4})$/iu;
const monthFirst = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/iu;
const chinese = /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?$/u;

/** Dates that a text may mean, YYYY-MM-DD (`12.04.1986`: two); empty for one that does not exist, undefined for no date. */
export function readBirthDates(text: string, today = new Date()): string[] | undefined {
  const plain = text.normalize('NFKC').trim();
  const found = candidates(plain, today.getUTCFullYear());
  if (found === undefined) {
    return undefined;
  }
  const dates = found
    .map(([year, month, day]) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)
    .filter((date) => isCalendarDate(date));
  return [...new Set(dates)];
}

type YearMonthDay = readonly [year: number, month: number, day: number];

function candidates(text: string, thisYear: number): YearMonthDay[] | undefined {
  const whole = /^(\d{4})(\d{2})(\d{2})$/u.exec(text);
  if (whole !== null && /^(?:18|19|20)/u.test(text)) {
    return [readNumbers(whole)];
  }
  const east = chinese.exec(text);
  if (east !== null) {
    return [readNumbers(east)];
  }
  const split = numbers.exec(text);
  if (split !== null) {
    return datesFromNumbers(split, thisYear);
  }
  const day = dayFirst.exec(text);
  const month = findMonth(day?.[2]);
  if (day !== null && month !== undefined) {
    return listYears(day[3] ?? '', thisYear).map((year) => [year, month, Number(day[1])]);
  }
  const named = monthFirst.exec(text);
  const first = findMonth(named?.[1]);
  return named === null || first === undefined
    ? undefined
    : [[Number(named[3]), first, Number(named[2])]];
}

function datesFromNumbers(
  [, one = '', two = '', three = '']: RegExpExecArray,
  thisYear: number,
): YearMonthDay[] | undefined {
  if (one.length === 4) {
    return three.length <= 2 ? [[Number(one), Number(two), Number(three)]] : undefined;
  }
  if (one.length > 2 || three.length === 3 || three.length === 1) {
    return undefined;
  }
  return listYears(three, thisYear).flatMap((year): YearMonthDay[] => [
    [year, Number(two), Number(one)],
    [year, Number(one), Number(two)],
  ]);
}

/** Two digits: both centuries in which somebody alive may be born. */
function listYears(text: string, thisYear: number): number[] {
  return text.length === 4
    ? [Number(text)]
    : [1900, 2000].map((century) => century + Number(text)).filter((year) => year <= thisYear);
}

function readNumbers([, ...parts]: RegExpExecArray): YearMonthDay {
  const [one = 0, two = 0, three = 0] = parts.map(Number);
  return [one, two, three];
}

function monthKey(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '');
}

function findMonth(name = ''): number | undefined {
  monthsByName ??= monthNames();
  return monthsByName.get(monthKey(name));
}

function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const form of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, {
        month: form,
        day: 'numeric',
        timeZone: 'UTC',
      });
      for (let month = 1; month <= 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2024, month - 1, 15));
        const name = monthKey(parts.find(({ type }) => type === 'month')?.value ?? '');
        names.set(name.replace(/\.$/u, ''), month);
      }
    }
  }
  return names;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
