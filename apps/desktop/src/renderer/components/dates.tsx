import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { IntlShape } from 'react-intl';
import styles from './dates.module.css';

/** A calendar day, YYYY-MM-DD, as "07 Mar 1985" in the person's language; text that is none is shown as it came. */
export function Day(props: { readonly date: string; readonly raw?: string }): ReactElement {
  const { date, raw = date } = props;
  const intl = useIntl();
  const written = dayText(intl, date);
  return written === undefined ? <bdi>{raw}</bdi> : <Dated raw={raw}>{written}</Dated>;
}

/** A calendar day, YYYY-MM-DD, as "07 Mar 1985"; undefined where it is none. */
export function dayText(intl: IntlShape, date: string): string | undefined {
  // A calendar date has no time zone: read and written in UTC it stays the day that it is.
  return dayOf(intl, `${date}T00:00:00Z`, 'UTC');
}

/** The day of a moment, by this computer's clock unless told otherwise, as "07 Mar 1985"; undefined where it is none. */
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

/** A moment, in this computer's time zone, which is named; text that is none is shown as it came. */
export function Moment(props: { readonly at: string; readonly plain?: boolean }): ReactElement {
  const { at, plain = false } = props;
  const intl = useIntl();
  const written = momentText(intl, at);
  if (written === undefined) return <bdi>{at}</bdi>;
  return plain ? <time dateTime={at}>{written}</time> : <Dated raw={at}>{written}</Dated>;
}

/** A moment in this computer's time zone, which is named; undefined where it is none. */
export function momentText(intl: IntlShape, at: string): string | undefined {
  const day = dayOf(intl, at);
  if (day === undefined) return undefined;
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  return `${day} ${intl.formatTime(at, time)}`;
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
