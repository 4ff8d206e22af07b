import { useId, useMemo, useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { Button } from '../../components/controls.tsx';
import { DayField } from './day-field.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { useOnline } from '../../state/app-state.ts';
import { useAutoFocus } from '../../state/navigation.tsx';
import type { Person } from '../../state/person.ts';
import { usePerson } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { dailyTotals } from './daily-totals.ts';
import type { DayZone } from './daily-totals.ts';
import { PanelView } from './panel-view.tsx';
import { useSessions } from './use-sessions.ts';
import type { Days } from './use-sessions.ts';
import styles from './activity.module.css';

type Clock = 'own' | 'person' | 'computer';

/** A person's mindfulness minutes by day: a panel a provider and source type, all on one axis. */
export function ActivityScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <PersonActivity person={person} />;
}

function PersonActivity({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { value: user } = person;
  const [days, setDays] = useState<Days>(() => firstDays(user.ingestion_start, user.ingestion_end));
  const [clock, setClock] = useState<Clock>('own');
  const computerZone = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  const personZone = user.fallback_time_zone.id;
  const zone = useMemo<DayZone>(
    () =>
      clock === 'own'
        ? { kind: 'own' }
        : { kind: 'zone', id: clock === 'person' ? personZone : computerZone },
    [clock, personZone, computerZone],
  );
  return (
    <div className={styles['screen']}>
      <h1>{text('activity.title')}</h1>
      <DaysForm days={days} onChange={setDays} />
      <SegmentedControl
        label={text('activity.zone')}
        value={clock}
        options={[
          ['own', text('activity.zone.own')],
          // A zone that this computer doesn't know can't be counted by.
          ...(isZone(personZone)
            ? [['person', text('activity.zone.person', { zone: personZone })] as const]
            : []),
          ['computer', text('activity.zone.computer', { zone: computerZone })],
        ]}
        onChange={setClock}
      />
      <Sessions userId={user.user_id} days={days} zone={zone} />
    </div>
  );
}

function Sessions(props: {
  readonly userId: string;
  readonly days: Days;
  readonly zone: DayZone;
}): ReactElement {
  const { userId, days, zone } = props;
  const text = useText();
  const online = useOnline();
  const { panels, state, problem, receivedAt, cancel, retry } = useSessions(userId, days);
  const shown = useMemo(
    () =>
      panels
        .map((panel) => ({
          panel,
          totals: dailyTotals(panel.points, zone).filter(
            ({ day }) => day >= days.first && day <= days.last,
          ),
        }))
        .filter(({ totals }) => totals.length > 0),
    [panels, zone, days],
  );
  const count = shown
    .flatMap(({ totals }) => totals)
    .reduce((sofar, { sessions }) => sofar + sessions.length, 0);
  const hasCome = receivedAt !== undefined;
  return (
    <>
      <div className={styles['bar']}>
        {hasCome && (
          <span role="status">
            {text(state === 'complete' ? 'activity.all' : 'activity.count', { count })}
          </span>
        )}
        {hasCome && state !== 'complete' && (
          <strong className={styles['partial']}>{text('activity.partial')}</strong>
        )}
        {hasCome && state === 'loading' && <Button onPress={cancel}>{text('state.cancel')}</Button>}
        {hasCome && !online && (
          <strong>{text('state.asOf', { time: new Date(receivedAt) })}</strong>
        )}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {!hasCome && state === 'loading' && <Loading onCancel={cancel} />}
      {state === 'complete' && shown.length === 0 && <p>{text('activity.empty')}</p>}
      {shown.map(({ panel, totals }) => (
        <PanelView key={panel.key} panel={panel} totals={totals} days={days} />
      ))}
      {shown.length > 0 && <p className={styles['quiet']}>{text('activity.byStart')}</p>}
    </>
  );
}

function DaysForm(props: {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
}): ReactElement {
  const { days, onChange } = props;
  const text = useText();
  const clashId = useId();
  const [{ first, last }, setTyped] = useState<Record<keyof Days, string | undefined>>(days);
  const from = useAutoFocus<HTMLInputElement>();
  const to = useRef<HTMLInputElement>(null);
  const isReversed = first !== undefined && last !== undefined && first > last;
  const clash = isReversed ? clashId : undefined;
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (first === undefined || isReversed) from.current?.focus();
    else if (last === undefined) to.current?.focus();
    else onChange({ first, last });
  };
  return (
    <form onSubmit={onSubmit} className={styles['days']}>
      <DayField
        label={text('activity.from')}
        value={first}
        clash={clash}
        inputRef={from}
        onChange={(day) => {
          setTyped((before) => ({ ...before, first: day }));
        }}
      />
      <DayField
        label={text('activity.to')}
        value={last}
        clash={clash}
        inputRef={to}
        onChange={(day) => {
          setTyped((before) => ({ ...before, last: day }));
        }}
      />
      <Button type="submit">{text('activity.show')}</Button>
      {isReversed && (
        <p role="alert" id={clashId} className={styles['clash']}>
          {text('activity.reversed')}
        </p>
      )}
    </form>
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

function isZone(id: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The days that data is taken in of, the latest 90 of them; where that isn't known, the 90 until today. */
function firstDays(start: string | null | undefined, end: string | null | undefined): Days {
  const today = new Date().toISOString().slice(0, 10);
  const last = isDay(end ?? '') && (end ?? '') < today ? (end ?? '') : today;
  const before = new Date(Date.parse(`${last}T00:00:00Z`) - 89 * 86_400_000);
  const first = before.toISOString().slice(0, 10);
  const begun = isDay(start ?? '') && (start ?? '') > first && (start ?? '') <= last;
  return { first: begun ? (start ?? first) : first, last };
}
