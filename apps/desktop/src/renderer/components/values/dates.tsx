import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { IntlShape } from 'react-intl';
import { useText } from '../../text/text.tsx';
import styles from './dates.module.css';

export function Day(props: { readonly date: string; readonly raw?: string }): ReactElement {
  const { date, raw = date } = props;
  const intl = useIntl();
  const written = dayText(intl, date);
  return written === date ? <bdi>{raw}</bdi> : <Dated raw={raw}>{written}</Dated>;
}

export function weekdayText(intl: IntlShape, date: string): string {
  const day = dayText(intl, date);
  if (day === date) return date;
  return `${intl.formatDate(`${date}T00:00:00Z`, { timeZone: 'UTC', weekday: 'short' })} ${day}`;
}

/** A 24-hour time in the page's time zone, which `zone` names. */
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

/** A day as "07 Mar 1985"; invalid text unchanged. */
export function dayText(intl: IntlShape, date: string): string {
  // A calendar date has no time zone; UTC keeps the day.
  return dayIn(intl, `${date}T00:00:00Z`, 'UTC') ?? date;
}

/** The day of a moment as "07 Mar 1985", in this order in every language; invalid text unchanged. */
export function dayOf(intl: IntlShape, at: string): string {
  return dayIn(intl, at) ?? at;
}

function dayIn(intl: IntlShape, at: string, timeZone?: string): string | undefined {
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

export function Moment(props: { readonly at: string; readonly plain?: boolean }): ReactElement {
  const { at, plain = false } = props;
  const intl = useIntl();
  const written = momentText(intl, at);
  if (written === at) return <bdi>{at}</bdi>;
  return plain ? <time dateTime={at}>{written}</time> : <Dated raw={at}>{written}</Dated>;
}

export function momentText(intl: IntlShape, at: string): string {
  const day = dayOf(intl, at);
  return day === at ? at : `${day} ${timeText(intl, at, { zone: true })}`;
}

export function useAsOf(): (receivedAt: string) => string {
  const text = useText();
  const intl = useIntl();
  return (receivedAt) => text('state.asOf', { time: timeText(intl, receivedAt) });
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
