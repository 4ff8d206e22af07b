import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { FormatDateOptions, IntlShape } from 'react-intl';
import { isCalendarDate } from '@caregate/domain';
import { useMask } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import { Quiet } from '../layout.tsx';
import { useFormatAge } from './age.ts';
import styles from './dates.module.css';

/** A date of birth in a list, with the age; what is not known is said. */
export function BirthDate({ date }: { date: string | null | undefined }): ReactElement {
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

export function Day(props: { readonly date: string; readonly raw?: string }): ReactElement {
  const { date, raw = date } = props;
  const intl = useIntl();
  const written = formatDate(intl, date);
  return written === date ? <bdi>{raw}</bdi> : <Dated raw={raw}>{written}</Dated>;
}

/** A day with its weekday, as in "Tuesday, 11/24/2026"; invalid text unchanged. */
export function formatWeekdayDate(intl: IntlShape, date: string): string {
  return formatCalendarDay(intl, date, { weekday: 'long' });
}

/** Today's date where it stands alone, as in "Tuesday, November 24, 2026". */
export function formatLongDate(intl: IntlShape, at: Date): string {
  return intl.formatDate(at, { calendar: 'gregory', dateStyle: 'full' });
}

/** A time in the page's time zone, as in "2:15 PM". */
export function formatTime(
  intl: IntlShape,
  at: string | number | Date,
  { seconds = false }: { readonly seconds?: boolean } = {},
): string {
  return intl.formatTime(at, { ...timeStyle, ...(seconds && { second: '2-digit' }) });
}

/** A day as the locale writes it, "03/07/1985" in the United States; invalid text unchanged. */
export function formatDate(intl: IntlShape, date: string): string {
  return formatCalendarDay(intl, date, {});
}

/** The day of a moment; invalid text unchanged. */
export function formatDay(intl: IntlShape, at: string): string {
  return formatMoment(intl, at, {});
}

const timeStyle = { hour: 'numeric', minute: '2-digit' } as const;

/** Arabic writes the month as a word: between right-to-left marks, the order of three numbers is hard to tell. */
function getDateStyle({ locale }: IntlShape): FormatDateOptions {
  return locale.startsWith('ar')
    ? { calendar: 'gregory', year: 'numeric', month: 'long', day: 'numeric' }
    : { calendar: 'gregory', year: 'numeric', month: '2-digit', day: '2-digit' };
}

function formatCalendarDay(intl: IntlShape, date: string, options: FormatDateOptions): string {
  if (!isCalendarDate(date)) return date;
  // A calendar date has no time zone; UTC keeps the day.
  return formatMoment(intl, `${date}T00:00:00Z`, { ...options, timeZone: 'UTC' });
}

function formatMoment(intl: IntlShape, at: string, options: FormatDateOptions): string {
  const parsed = new Date(at);
  return Number.isNaN(parsed.getTime())
    ? at
    : intl.formatDate(parsed, { ...getDateStyle(intl), ...options });
}

export function Moment(props: { readonly at: string; readonly plain?: boolean }): ReactElement {
  const { at, plain = false } = props;
  const intl = useIntl();
  const written = formatDateTime(intl, at);
  if (written === at) return <bdi>{at}</bdi>;
  return plain ? <time dateTime={at}>{written}</time> : <Dated raw={at}>{written}</Dated>;
}

/** A day and its time, as in "11/24/2026, 2:15 PM"; invalid text unchanged. */
export function formatDateTime(intl: IntlShape, at: string): string {
  return formatMoment(intl, at, timeStyle);
}

export function useFormatAsOf(): (receivedAt: string) => string {
  const text = useText();
  const intl = useIntl();
  return (receivedAt) => text('state.asOf', { time: formatTime(intl, receivedAt) });
}

function Dated({ raw, children }: { raw: string; children: ReactNode }): ReactElement {
  return (
    <span tabIndex={0} className={styles['dated']}>
      <time>{children}</time>
      <bdi dir="ltr" className={`framed help ${styles['raw'] ?? ''}`}>
        {raw}
      </bdi>
    </span>
  );
}
