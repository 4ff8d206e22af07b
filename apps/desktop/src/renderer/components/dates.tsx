import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { IntlShape } from 'react-intl';
import { useText } from '../text/text.tsx';
import styles from './dates.module.css';

/** A calendar day, YYYY-MM-DD, as "07 Mar 1985" in the person's language; text that is none is shown as it came. */
export function Day(props: { readonly date: string; readonly raw?: string }): ReactElement {
  const { date, raw = date } = props;
  const intl = useIntl();
  const written = dayText(intl, date);
  return written === undefined ? <bdi>{raw}</bdi> : <Dated raw={raw}>{written}</Dated>;
}

/** The same with its day of the week before it: "Thu 07 Mar 1985"; the day as it came where it is none. */
export function weekdayText(intl: IntlShape, date: string): string {
  const day = dayText(intl, date);
  if (day === undefined) return date;
  return `${intl.formatDate(`${date}T00:00:00Z`, { timeZone: 'UTC', weekday: 'short' })} ${day}`;
}

/**
 * A time of day from 00:00 to 23:59, in the clinic's zone, or in this computer's where that isn't known; the zone is
 * named where it is asked for.
 */
export function timeText(
  intl: IntlShape,
  at: string | number | Date,
  { seconds = false, zone = false }: { readonly seconds?: boolean; readonly zone?: boolean } = {},
): string {
  return intl.formatTime(at, {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(seconds && { second: '2-digit' }),
    ...(zone && { timeZoneName: 'short' }),
  });
}

/** A calendar day, YYYY-MM-DD, as "07 Mar 1985"; undefined where it is none. */
export function dayText(intl: IntlShape, date: string): string | undefined {
  // A calendar date has no time zone: read and written in UTC it stays the day that it is.
  return dayOf(intl, `${date}T00:00:00Z`, 'UTC');
}

/**
 * The day of a moment, in the same zone unless told otherwise, as "07 Mar 1985": day, month as a word, year, the
 * order of all languages that there are catalogues for, whatever a region writes. Undefined where it is none.
 */
export function dayOf(intl: IntlShape, at: string, timeZone?: string): string | undefined {
  const parsed = new Date(at);
  if (Number.isNaN(parsed.getTime())) return undefined;
  const parts = intl.formatDateToParts(parsed, {
    ...(timeZone !== undefined && { timeZone }),
    year: 'numeric',
    month: 'short',
    day: '2-digit',
  });
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('day')} ${part('month')} ${part('year')}`;
}

/** A moment, with the name of its time zone; text that is none is shown as it came. */
export function Moment(props: { readonly at: string; readonly plain?: boolean }): ReactElement {
  const { at, plain = false } = props;
  const intl = useIntl();
  const written = momentText(intl, at);
  if (written === undefined) return <bdi>{at}</bdi>;
  return plain ? <time dateTime={at}>{written}</time> : <Dated raw={at}>{written}</Dated>;
}

/** A moment with the name of its time zone; undefined where it is none. */
export function momentText(intl: IntlShape, at: string): string | undefined {
  const day = dayOf(intl, at);
  if (day === undefined) return undefined;
  return `${day} ${timeText(intl, at, { zone: true })}`;
}

/** When data was read that is still shown. */
export function useAsOf(): (receivedAt: string) => string {
  const text = useText();
  const intl = useIntl();
  // A time within a text would be this computer's: the catalogue's own formats know of no zone.
  return (receivedAt) => text('state.asOf', { time: timeText(intl, receivedAt) });
}

/** A date as people write it; as it came, on focus and under the pointer. */
function Dated({ raw, children }: { raw: string; children: ReactNode }): ReactElement {
  return (
    <span tabIndex={0} className={styles['dated']}>
      <time>{children}</time>
      <bdi dir="ltr" className={styles['raw']}>
        {raw}
      </bdi>
    </span>
  );
}
