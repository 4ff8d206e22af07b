import type { CSSProperties, ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button, KeyCap } from '../../components/controls.tsx';
import { dayText } from '../../components/values/dates.tsx';
import { Quiet } from '../../components/layout.tsx';
import { providerName, typeWord } from '../../components/values/source-names.ts';
import { useNavigation } from '../../state/navigation.tsx';
import type { Person } from '../../state/person.ts';
import { dailyTotals, sum } from '../../state/sessions/daily-totals.ts';
import type { DayTotal } from '../../state/sessions/daily-totals.ts';
import type { Panel } from '../../state/sessions/panels.ts';
import type { Days } from '../../state/sessions/use-sessions.ts';
import { useText } from '../../text/text.tsx';
import { Part, Shut } from './part.tsx';
import styles from './overview.module.css';

/** The minutes of the last month: those of the source that has most days. */
export function Month(props: {
  readonly person: Person;
  readonly mayLook: boolean;
  readonly days: Days;
  readonly panels: readonly Panel[] | undefined;
}): ReactElement {
  const { person, mayLook, days, panels } = props;
  const { connected_sources: connected } = person.value;
  const text = useText();
  const intl = useIntl();
  const { go } = useNavigation();
  // Two sources may have measured the same minutes: they are never added up.
  const [shown, ...others] = (panels ?? [])
    .map((panel) => ({
      panel,
      totals: dailyTotals(panel.points, { kind: 'own' }).filter(
        ({ day }) => day >= days.first && day <= days.last,
      ),
    }))
    .filter(({ totals }) => totals.length > 0)
    .toSorted((a, b) => b.totals.length - a.totals.length);
  const word = shown && typeWord(shown.panel.source);
  return (
    <Part
      title={text('activity.title')}
      about={
        shown && (
          <>
            <span>
              {text('activity.panel', {
                provider: providerName(shown.panel.provider, connected),
                source: word === undefined ? shown.panel.source : text(word),
              })}
            </span>
            <span>
              {text('activity.total', {
                minutes: intl.formatNumber(sum(shown.totals.map(({ minutes }) => minutes)), {
                  maximumFractionDigits: 0,
                }),
                days: shown.totals.length,
              })}
            </span>
            {others.length > 0 && <span>{text('overview.sources', { count: others.length })}</span>}
          </>
        )
      }
      action={
        mayLook && (
          <Button
            kind="quiet"
            onPress={() => {
              go('activity');
            }}
          >
            {text('screen.activity')}
            <KeyCap isSilent keys="Ctrl 4" />
          </Button>
        )
      }
    >
      {!mayLook && <Shut screen="activity" />}
      {shown !== undefined && <MonthBars totals={shown.totals} days={days} />}
      {mayLook && shown === undefined && panels !== undefined && (
        <Quiet as="p" size="row13">
          {text('overview.noMinutes')}
        </Quiet>
      )}
    </Part>
  );
}

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
