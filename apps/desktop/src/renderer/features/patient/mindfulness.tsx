import type { CSSProperties, ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { getToday } from '../../ui/values/age.ts';
import { formatDate } from '../../ui/values/dates.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import type { Person } from './person.ts';
import { computeDailyTotals, sum } from './daily-totals.ts';
import type { DayTotal } from './daily-totals.ts';
import type { Panel } from './panels.ts';
import type { Days } from './use-sessions.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './overview.module.css';

/** The minutes of the last month in one line: those of the source that has the most days. */
export function Mindfulness(props: {
  readonly person: Person;
  readonly days: Days;
  readonly panels: readonly Panel[];
}): ReactElement {
  const { person, days, panels } = props;
  const { connected_sources: connected } = person.value;
  const text = useText();
  const intl = useIntl();
  // Two sources may have measured the same minutes: they are never added up.
  const [shown, ...others] = panels
    .map((panel) => ({
      panel,
      totals: computeDailyTotals(panel.points).filter(
        ({ day }) => day >= days.first && day <= days.last,
      ),
    }))
    .filter(({ totals }) => totals.length > 0)
    .toSorted((a, b) => b.totals.length - a.totals.length);
  const title = text('mindfulness.title');
  if (shown === undefined) {
    return (
      <Row as="section" aria-label={title} gap="wide" className={styles['part']}>
        <h2 className={styles['lineTitle']}>{title}</h2>
        <Quiet size="row13">{text('overview.noMinutes')}</Quiet>
      </Row>
    );
  }
  const { panel, totals } = shown;
  const source = connected.find((one) => one.source.slug === panel.provider)?.source.name;
  const minutes = Math.round(sum(totals.map((total) => total.minutes)));
  return (
    <Row as="section" aria-label={title} gap="gap3" className={styles['part']}>
      <h2 className={styles['lineTitle']}>{title}</h2>
      <span className="row13">
        {text(days.last === getToday(intl) ? 'mindfulness.total' : 'mindfulness.totalUntil', {
          minutes,
          measured: totals.length,
          days: listDays(days).length,
          day: formatDate(intl, days.last),
        })}
      </span>
      <Quiet size="meta">
        <bdi>{source || panel.provider}</bdi>
      </Quiet>
      {others.length > 0 && (
        <Quiet size="meta">{text('overview.sources', { count: others.length })}</Quiet>
      )}
      <Sparkline totals={totals} days={days} />
    </Row>
  );
}

/** A bar for each day; a dash where nothing was measured. */
function Sparkline(props: {
  readonly totals: readonly DayTotal[];
  readonly days: Days;
}): ReactElement {
  const { totals, days } = props;
  const text = useText();
  const intl = useIntl();
  const minutes = new Map(totals.map((total) => [total.day, total.minutes]));
  const maxMinutes = Math.max(...minutes.values());
  return (
    <span
      role="img"
      className={styles['bars']}
      aria-label={text('overview.longest', {
        minutes: intl.formatNumber(maxMinutes, { maximumFractionDigits: 0 }),
      })}
    >
      {listDays(days).map((day) => {
        const measured = minutes.get(day);
        const share = maxMinutes === 0 ? 0 : (measured ?? 0) / maxMinutes;
        return (
          <span
            key={day}
            title={formatDate(intl, day)}
            data-none={measured === undefined || undefined}
            style={{ '--share': share } as CSSProperties}
          />
        );
      })}
    </span>
  );
}

function listDays({ first, last }: Days): readonly string[] {
  const [from, to] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`)];
  const count = Math.round((to - from) / 86_400_000) + 1;
  return Array.from({ length: count }, (_none, place) =>
    new Date(from + place * 86_400_000).toISOString().slice(0, 10),
  );
}
