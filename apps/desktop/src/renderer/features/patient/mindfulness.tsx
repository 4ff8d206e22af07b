import type { CSSProperties } from 'react';
import { useIntl } from 'react-intl';
import { getToday } from '../../ui/values/age.ts';
import { formatDate } from '../../ui/values/dates.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { useText } from '../../i18n/text.tsx';
import type { Person } from './person.ts';
import type { Days, SourceMinutes } from './use-mindfulness.ts';
import styles from './overview.module.css';

/** Shows the minutes of the last month in one line. If there are several sources, it shows the one with the most days. */
export function Mindfulness(props: {
  readonly person: Person;
  readonly days: Days;
  readonly sources: readonly SourceMinutes[];
}) {
  const { person, days, sources } = props;
  const text = useText();
  const intl = useIntl();
  const [shown] = sources.toSorted((a, b) => b.minutes.size - a.minutes.size);
  const minutes = shown?.minutes ?? new Map<string, number>();
  const provider = shown?.provider;
  const source = person.value.connected_sources.find((one) => one.source.slug === provider);
  const longest = Math.max(0, ...minutes.values());
  const title = text('mindfulness.title');
  return (
    <Row as="section" aria-label={title} gap="gap3" className={styles['part']}>
      <h2>{title}</h2>
      {minutes.size === 0 ? (
        <Quiet size="row13">{text('overview.noMinutes')}</Quiet>
      ) : (
        <>
          <span className="row13">
            {text(days.last === getToday(intl) ? 'mindfulness.total' : 'mindfulness.totalUntil', {
              minutes: Math.round([...minutes.values()].reduce((sum, one) => sum + one, 0)),
              measured: minutes.size,
              days: listDays(days).length,
              day: formatDate(intl, days.last),
            })}
          </span>
          <Quiet size="meta">
            <bdi>{source?.source.name || provider}</bdi>
          </Quiet>
          <span
            role="img"
            className={styles['bars']}
            aria-label={text('overview.longest', {
              minutes: intl.formatNumber(longest, { maximumFractionDigits: 0 }),
            })}
          >
            {listDays(days).map((day) => (
              <span
                key={day}
                title={formatDate(intl, day)}
                data-none={!minutes.has(day) || undefined}
                style={{ '--share': (minutes.get(day) ?? 0) / (longest || 1) } as CSSProperties}
              />
            ))}
          </span>
        </>
      )}
    </Row>
  );
}

function listDays({ first, last }: Days): readonly string[] {
  const [from, to] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`)];
  const count = Math.round((to - from) / 86_400_000) + 1;
  return Array.from({ length: count }, (_none, place) =>
    new Date(from + place * 86_400_000).toISOString().slice(0, 10),
  );
}
