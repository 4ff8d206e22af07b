import { useIntl, type FormatDateOptions, type IntlShape } from 'react-intl';
import { isCalendarDate } from '@caregate/domain';
import { useMask } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import { Quiet } from '../layout.tsx';
import { useFormatAge } from './age.ts';

/** A birth date in a list, with the age. */
export function BirthDate({ date }: { date: string | null | undefined }) {
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const formatAge = useFormatAge();
  if (!date) return <Quiet>{text('value.none')}</Quiet>;
  const age = formatAge(date, true);
  return (
    <span className="numbers">
      <b>{mask(formatDate(intl, date))}</b> {age !== undefined && <Quiet>{mask(age)}</Quiet>}
    </span>
  );
}

/** A date. The date as it was received is shown on hover. */
export function Day({ date }: { readonly date: string }) {
  return (
    <time dateTime={date} title={date}>
      {formatDate(useIntl(), date)}
    </time>
  );
}

/** Formats a day with its weekday, such as "Tuesday, 11/24/2026". An invalid date is returned unchanged. */
export function formatWeekdayDate(intl: IntlShape, date: string): string {
  return formatCalendarDay(intl, date, { weekday: 'long' });
}

/** Formats today's date for the lock screen, such as "Tuesday, November 24, 2026". */
export function formatLongDate(intl: IntlShape, at: Date): string {
  return intl.formatDate(at, { calendar: 'gregory', dateStyle: 'full' });
}

/** Formats a time in the page's time zone, such as "2:15 PM". */
export function formatTime(intl: IntlShape, at: string | number | Date): string {
  return intl.formatTime(at, timeStyle);
}

/** Formats a day as the locale writes it, such as "03/07/1985" in the United States. An invalid date is returned unchanged. */
export function formatDate(intl: IntlShape, date: string): string {
  return formatCalendarDay(intl, date, {});
}

/** Formats the day of a point in time. An invalid time is returned unchanged. */
export function formatDay(intl: IntlShape, at: string): string {
  return formatMoment(intl, at, {});
}

const timeStyle = { hour: 'numeric', minute: '2-digit' } as const;

/** In Arabic, the month is a word, since the order of three numbers between right-to-left marks is hard to read. */
function getDateStyle({ locale }: IntlShape): FormatDateOptions {
  return locale.startsWith('ar')
    ? { calendar: 'gregory', year: 'numeric', month: 'long', day: 'numeric' }
    : { calendar: 'gregory', year: 'numeric', month: '2-digit', day: '2-digit' };
}

function formatCalendarDay(intl: IntlShape, date: string, options: FormatDateOptions): string {
  if (!isCalendarDate(date)) return date;
  // A calendar date has no time zone, so it is formatted in UTC.
  return formatMoment(intl, `${date}T00:00:00Z`, { ...options, timeZone: 'UTC' });
}

function formatMoment(intl: IntlShape, at: string, options: FormatDateOptions): string {
  const parsed = new Date(at);
  return Number.isNaN(parsed.getTime())
    ? at
    : intl.formatDate(parsed, { ...getDateStyle(intl), ...options });
}

/** Formats a day and a time, such as "11/24/2026, 2:15 PM". An invalid time is returned unchanged. */
export function formatDateTime(intl: IntlShape, at: string): string {
  return formatMoment(intl, at, timeStyle);
}
