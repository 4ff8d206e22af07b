import { useIntl, type IntlShape } from 'react-intl';
import { formatIsoDay } from '../../../shared/time-zone.ts';
import { useText } from '../../i18n/text.tsx';

export interface Age {
  readonly years: number;
  readonly months: number;
  readonly days: number;
}

/** Both days are YYYY-MM-DD. Returns undefined if one is invalid or the birth is later. */
export function computeAge(birthDate: string, day: string): Age | undefined {
  const [born, now] = [parseDate(birthDate), parseDate(day)];
  if (born === undefined || now === undefined) return undefined;
  const countMonths = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
  let months = countMonths(now) - countMonths(born);
  if (addMonths(born, months) > now) months -= 1;
  if (months < 0) return undefined;
  const days = (now.getTime() - addMonths(born, months).getTime()) / 86_400_000;
  return { years: Math.floor(months / 12), months: months % 12, days };
}

/** Formats an age as "41 years" or, for a list, "41 y". Below five years, it is "2 y 3 m". */
export function useFormatAge(): (birthDate: string, isShort?: boolean) => string | undefined {
  const text = useText();
  const intl = useIntl();
  return (birthDate, isShort = false) => {
    const age = computeAge(birthDate, getToday(intl));
    if (age === undefined) return undefined;
    const { years, months, days } = age;
    if (years >= 5) return text(isShort ? 'patient.ageShort' : 'patient.ageYears', { years });
    if (years >= 1) return text('patient.ageYoung', { years, months });
    return months >= 1 ? text('patient.ageMonths', { months }) : text('patient.ageDays', { days });
  };
}

/** Returns today's date as YYYY-MM-DD in the page's time zone. */
export function getToday({ timeZone }: Pick<IntlShape, 'timeZone'>, at = new Date()): string {
  return formatIsoDay(timeZone, at);
}

/** Adds months. A birthday on the 31st moves to the last day of a shorter month. */
function addMonths(date: Date, months: number): Date {
  const later = new Date(date);
  later.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  later.setUTCDate(Math.min(date.getUTCDate(), later.getUTCDate()));
  return later;
}

function parseDate(day: string): Date | undefined {
  const date = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T`);
  return isDay ? date : undefined;
}
