import { useId, useMemo, useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { useIntl } from 'react-intl';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { Button } from '../../components/controls.tsx';
import { Quiet, Row, Stack } from '../../components/layout.tsx';
import { DayField } from './day-field.tsx';
import { today } from '../../components/values/age.ts';
import { useAsOf } from '../../components/values/dates.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { isTimeZone } from '../../../bridge/time-zone.ts';
import { useOnline } from '../../state/app-state.ts';
import { useAutoFocus } from '../../state/navigation.tsx';
import type { User } from '@caregate/domain';
import type { Person } from '../../state/person.ts';
import { useSelection } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { dailyTotals } from '../../state/sessions/daily-totals.ts';
import type { DayZone } from '../../state/sessions/daily-totals.ts';
import { PanelView } from './panel-view.tsx';
import { SaveTable } from './save-table.tsx';
import { daysUntil, latestDays, useSessions } from '../../state/sessions/use-sessions.ts';
import type { Days } from '../../state/sessions/use-sessions.ts';
import styles from './activity.module.css';

type Clock = 'own' | 'person' | 'desk';

export function ActivityScreen(): ReactElement | null {
  const { person } = useSelection();
  return person === undefined ? null : <PersonActivity person={person} />;
}

function PersonActivity({ person }: { person: Person }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { value: user } = person;
  const [days, setDays] = useState<Days>(() => latestDays(user, 90, today(intl)));
  const [typed, setTyped] = useState<TypedDays>(days);
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
    <Stack gap="gap4" className={`one ${styles['screen'] ?? ''}`}>
      <h1>{text('activity.title')}</h1>
      <Row gap="wide">
        <DaysForm typed={typed} onType={setTyped} onChange={setDays} />
        <Presets
          days={days}
          last={latestDays(user, 90, today(intl)).last}
          onChoose={(chosen) => {
            setTyped(chosen);
            setDays(chosen);
          }}
        />
      </Row>
      <SegmentedControl
        label={text('activity.zone')}
        value={clock}
        options={[
          ['own', text('activity.zone.own')],
          // Unknown to this computer: days can't be counted by it.
          ...(isTimeZone(personZone)
            ? [['person', text('activity.zone.person', { zone: personZone })] as const]
            : []),
          ['desk', text('activity.zone.computer', { zone: computerZone })],
        ]}
        onChange={setClock}
      />
      <Sessions user={user} days={days} zone={zone} />
    </Stack>
  );
}

const presets = [
  [30, 'activity.days30'],
  [90, 'activity.days90'],
  [365, 'activity.year'],
] as const;

function Presets(props: {
  readonly days: Days;
  readonly last: string;
  readonly onChoose: (days: Days) => void;
}): ReactElement {
  const { days, last, onChoose } = props;
  const text = useText();
  return (
    <div role="group" aria-label={text('activity.presets')} className={styles['presets']}>
      {presets.map(([count, label]) => {
        const wanted = daysUntil(last, count);
        return (
          <Button
            key={count}
            aria-pressed={wanted.first === days.first && wanted.last === days.last}
            onPress={() => {
              onChoose(wanted);
            }}
          >
            {text(label)}
          </Button>
        );
      })}
    </div>
  );
}

function Sessions(props: {
  readonly user: User;
  readonly days: Days;
  readonly zone: DayZone;
}): ReactElement {
  const { user, days, zone } = props;
  const text = useText();
  const asOf = useAsOf();
  const online = useOnline();
  const { panels, state, problem, receivedAt, recordIds, cancel, retry } = useSessions(
    user.user_id,
    days,
  );
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
      <Row gap="wide" className={styles['bar']}>
        {hasCome && (
          <span role="status">
            {text(
              state !== 'complete'
                ? 'activity.count'
                : shown.length === 0
                  ? 'activity.empty'
                  : 'activity.all',
              { count },
            )}
          </span>
        )}
        {hasCome && state !== 'complete' && (
          <strong className="noticed">{text('activity.partial')}</strong>
        )}
        {hasCome && state === 'loading' && <Button onPress={cancel}>{text('state.cancel')}</Button>}
        {hasCome && !online && <strong>{asOf(receivedAt)}</strong>}
        {state === 'complete' && shown.length > 0 && (
          <SaveTable shown={shown} recordIds={recordIds} />
        )}
      </Row>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {!hasCome && state === 'loading' && <Loading what="screen.activity" onCancel={cancel} />}
      {shown.map(({ panel, totals }, look) => (
        <PanelView
          key={panel.key}
          panel={panel}
          connected={user.connected_sources}
          totals={totals}
          days={days}
          look={look}
          isWhole={state === 'complete'}
        />
      ))}
      {shown.length > 0 && (
        <Quiet as="p" size="help">
          {text('activity.byStart')}
        </Quiet>
      )}
    </>
  );
}

type TypedDays = Readonly<Record<keyof Days, string | undefined>>;

function DaysForm(props: {
  readonly typed: TypedDays;
  readonly onType: (change: (before: TypedDays) => TypedDays) => void;
  readonly onChange: (days: Days) => void;
}): ReactElement {
  const { typed, onType: setTyped, onChange } = props;
  const { first, last } = typed;
  const text = useText();
  const clashId = useId();
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
    <Row as="form" gap="wide" onSubmit={onSubmit} className={styles['days']}>
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
        <p role="alert" id={clashId} className={`flagged help ${styles['clash'] ?? ''}`}>
          {text('activity.reversed')}
        </p>
      )}
    </Row>
  );
}
