import { useIntl } from 'react-intl';
import type { IntlShape } from 'react-intl';
import { dayIn } from '../../bridge/time-zone.ts';
import { useText } from '../text/text.tsx';

export interface Age {
  readonly years: number;
  readonly months: number;
  readonly days: number;
}

/** Both days YYYY-MM-DD; undefined where one is invalid or the birth is later. */
export function ageOn(birthDate: string, day: string): Age | undefined {
  const born = partsOf(birthDate);
  const now = partsOf(day);
  if (born === undefined || now === undefined) return undefined;
  let months = (now.year - born.year) * 12 + now.month - born.month;
  // A birthday on the 31st falls on the last day of a shorter month.
  const birthday = Math.min(born.day, daysIn(now.year, now.month));
  const isBefore = now.day < birthday;
  if (isBefore) months -= 1;
  if (months < 0) return undefined;
  const monthBefore = now.month === 1 ? 12 : now.month - 1;
  const lengthBefore = daysIn(now.month === 1 ? now.year - 1 : now.year, monthBefore);
  const days = isBefore
    ? now.day + lengthBefore - Math.min(born.day, lengthBefore)
    : now.day - birthday;
  return { years: Math.floor(months / 12), months: months % 12, days };
}

/** "41 years" or, in a row, "41 y"; under five "2 y 3 m". */
export function useAgeText(): (birthDate: string, isShort?: boolean) => string | undefined {
  const text = useText();
  const intl = useIntl();
  return (birthDate, isShort = false) => {
    const age = ageOn(birthDate, today(intl));
    if (age === undefined) return undefined;
    const { years, months, days } = age;
    if (years >= 5) return text(isShort ? 'patient.ageShort' : 'patient.ageYears', { years });
    if (years >= 1) return text('patient.ageYoung', { years, months });
    return months >= 1 ? text('patient.ageMonths', { months }) : text('patient.ageDays', { days });
  };
}

/** Today, YYYY-MM-DD, in the page's time zone. */
export function today({ timeZone }: Pick<IntlShape, 'timeZone'>, at = new Date()): string {
  return dayIn(timeZone, at);
}

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function partsOf(date: string): CalendarDay | undefined {
  const found = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/u.exec(date)?.groups;
  if (found === undefined) return undefined;
  const [year, month, day] = [Number(found['year']), Number(found['month']), Number(found['day'])];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return { year, month, day };
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
