import type { CSSProperties, ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { dayText } from '../../components/values/dates.tsx';
import type { DayTotal } from '../../state/sessions/daily-totals.ts';
import type { Days } from '../../state/sessions/use-sessions.ts';
import { useText } from '../../text/text.tsx';
import styles from './overview.module.css';

/** A bar a day, oldest first; a day without sessions has a dash at its foot, and no bar. */
export function MonthBars(props: {
  readonly totals: readonly DayTotal[];
  readonly days: Days;
}): ReactElement {
  const { totals, days } = props;
  const text = useText();
  const intl = useIntl();
  const minutes = new Map(totals.map((total) => [total.day, total.minutes]));
  const longest = Math.max(0, ...minutes.values());
  const said = text('overview.longest', {
    minutes: intl.formatNumber(longest, { maximumFractionDigits: 0 }),
  });
  return (
    <figure className={styles['bars']}>
      <div role="img" aria-label={said}>
        {daysOf(days).map((day) => {
          const of = minutes.get(day);
          const share = longest === 0 ? 0 : (of ?? 0) / longest;
          return (
            <span
              key={day}
              title={dayText(intl, day)}
              data-none={of === undefined || undefined}
              style={{ '--share': share } as CSSProperties}
            />
          );
        })}
      </div>
      <figcaption className="quiet meta">
        <bdi>{dayText(intl, days.first)}</bdi>
        <bdi>{said}</bdi>
        <bdi>{dayText(intl, days.last)}</bdi>
      </figcaption>
    </figure>
  );
}

function daysOf({ first, last }: Days): readonly string[] {
  const [from, to] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`)];
  const count = Math.round((to - from) / 86_400_000) + 1;
  return Array.from({ length: count }, (_none, place) =>
    new Date(from + place * 86_400_000).toISOString().slice(0, 10),
  );
}
