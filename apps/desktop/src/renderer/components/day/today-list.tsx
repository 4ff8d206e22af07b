import { Check, Minus, UsersRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useIntl } from 'react-intl';
import type { TodayPerson, TodayState } from '../../../bridge/app-state.ts';
import { useNow } from '../../state/hooks.ts';
import { useLookUp } from '../../state/look-up.tsx';
import { hidden, useMask, useMasked } from '../../state/mask.tsx';
import { likenessOf } from '../../state/people/same-name.ts';
import { nextState, useToday } from '../../state/people/today.tsx';
import { useText } from '../../text/text.tsx';
import { useAgeText } from '../values/age.ts';
import { clockOf, clockText, clockTimeOf } from './clock-time.ts';
import { Code, IconButton } from '../controls.tsx';
import { dayOf, dayText, timeText } from '../values/dates.tsx';
import { Entry } from '../entry.tsx';
import { Icon } from '../icon.tsx';
import { Quiet, Row } from '../layout.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { Chip } from '../surfaces.tsx';
import styles from './today-list.module.css';

type Shown = TodayState | 'all';
const filters = ['all', 'expected', 'arrived', 'done'] as const satisfies readonly Shown[];

export const todayRow = '[data-today-row][tabindex="0"]';

/** The people of the day by time, with a line at now. Arrows move, Enter opens, Space says arrived, then done. */
export function TodayList(props: {
  readonly isEdited?: boolean;
  readonly listRef?: Ref<HTMLElement>;
  readonly onLeave?: (to: 'up' | 'aside') => void;
}): ReactElement {
  const { isEdited = false, listRef, onLeave } = props;
  const text = useText();
  const intl = useIntl();
  const now = useNow();
  const { people, change } = useToday();
  const [filter, setFilter] = useState<Shown>('all');
  const [focused, setFocused] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const shown = people.filter(({ state }) => filter === 'all' || state === filter);
  const first = shown.find(({ state }) => state !== 'done') ?? shown[0];
  const roving = shown.find(({ userId }) => userId === focused) ?? first;
  const clock = clockOf(intl, now);
  const passed = shown.filter(({ time }) => time !== undefined && time <= clock).length;
  const hasTimes = shown.some(({ time }) => time !== undefined);
  const onKey = (event: KeyboardEvent): void => {
    const row = (event.target as HTMLElement).closest('[data-today-row]');
    const { key, ctrlKey, metaKey, altKey } = event;
    if (row === null || ctrlKey || metaKey || altKey) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-today-row]') ?? [])];
    const at = rows.findIndex((one) => one === row);
    const one = shown[at];
    const aside = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (key === 'ArrowDown') rows[at + 1]?.focus();
    else if (key === 'ArrowUp' && at === 0) onLeave?.('up');
    else if (key === 'ArrowUp') rows[at - 1]?.focus();
    else if (key === aside && onLeave !== undefined) onLeave('aside');
    else if (key === ' ' && one !== undefined) change(nextState[one.state], one);
    else return;
    // A button would take Space for a press.
    event.preventDefault();
    event.stopPropagation();
  };
  const nowLine = (
    <li key="now" className={`line gap2 meta bold ${styles['now'] ?? ''}`}>
      <span className="numbers">{text('today.now', { time: timeText(intl, now) })}</span>
    </li>
  );
  const rows = shown.map((one) => (
    <Person
      key={one.userId}
      one={one}
      place={people.indexOf(one)}
      isEdited={isEdited}
      isRoving={one === roving}
      onFocus={() => {
        setFocused(one.userId);
      }}
    />
  ));
  const count = (state: Shown): number =>
    state === 'all' ? people.length : people.filter((one) => one.state === state).length;
  return (
    <section
      ref={listRef}
      aria-label={text('screen.today')}
      className={`column ${styles['today'] ?? ''} ${isEdited ? (styles['edited'] ?? '') : ''}`}
    >
      <Row gap="gap3" className={styles['top']}>
        {isEdited ? (
          <h1>{text('screen.today')}</h1>
        ) : (
          <h2 className="head">{text('screen.today')}</h2>
        )}
        <Quiet size="row13">
          {intl.formatDate(now, { weekday: 'long' })} {dayOf(intl, now.toISOString())}
        </Quiet>
        {people.length > 0 && (
          <span className="end">
            <SegmentedControl
              quiet
              label={text('today.show')}
              value={filter}
              options={filters.map((one) => [
                one,
                text(`today.show.${one}`, { count: count(one) }),
              ])}
              onChange={setFilter}
            />
          </span>
        )}
      </Row>
      {people.length > 0 && (
        <div aria-hidden="true" className={`quiet meta medium ${styles['head'] ?? ''}`}>
          <span>{text('today.time')}</span>
          <span>{text('column.name')}</span>
          <span>{text('patient.born')}</span>
          <span>{text('column.clientId')}</span>
          <span>{text('today.state')}</span>
          {isEdited && <span>{text('today.addedAt')}</span>}
        </div>
      )}
      <ol ref={list} className={styles['list']} onKeyDownCapture={onKey}>
        {hasTimes ? rows.toSpliced(passed, 0, nowLine) : rows}
      </ol>
      <Quiet as="p" size="row13" role="status" className={styles['note']}>
        {people.length === 0
          ? text('today.empty')
          : text('today.count', {
              left: count('expected'),
              all: people.length,
              here: count('arrived'),
            })}{' '}
        {text('today.memory')}
      </Quiet>
    </section>
  );
}

function Person(props: {
  readonly one: TodayPerson;
  readonly place: number;
  readonly isEdited: boolean;
  readonly isRoving: boolean;
  readonly onFocus: () => void;
}): ReactElement {
  const { one, place, isEdited, isRoving, onFocus } = props;
  const { clientUserId, name, birthDate, state, time } = one;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const masked = useMasked();
  const ageText = useAgeText();
  const { lookUp } = useLookUp();
  const { people, change } = useToday();
  const who = masked ? `${hidden} ${String(place + 1)}` : (name ?? clientUserId);
  const age = birthDate === undefined ? undefined : ageText(birthDate, true);
  const isNamesake = people.some(
    (other) =>
      other.userId !== one.userId &&
      likenessOf({ name, birthDate }, { name: other.name, birthDate: other.birthDate }) ===
        'sameName',
  );
  return (
    <li className={styles['row']} data-state={state}>
      {isEdited && <TimeField one={one} who={who} />}
      <Entry
        data-today-row=""
        className={styles['open']}
        excludeFromTabOrder={!isRoving}
        onFocus={onFocus}
        onPress={() => {
          lookUp(clientUserId);
        }}
      >
        {!isEdited && (
          <Quiet className="numbers">{time === undefined ? '–' : clockText(intl, time)}</Quiet>
        )}
        <span className="wrap">
          <b>
            <bdi>{who}</bdi>
          </b>{' '}
          {isNamesake && (
            <Chip kind="notice" icon={UsersRound}>
              {text('today.sameName')}
            </Chip>
          )}
        </span>
        <span className="numbers">
          {birthDate === undefined ? (
            <Quiet>{text('value.none')}</Quiet>
          ) : (
            <>
              <b>{mask(dayText(intl, birthDate))}</b>{' '}
              {age !== undefined && <Quiet>{mask(age)}</Quiet>}
            </>
          )}
        </span>
        <span className="wrap">
          <Code>{mask(clientUserId)}</Code>
        </span>
      </Entry>
      <AriaButton
        className={`line bare gap2 row13 ${styles['state'] ?? ''}`}
        excludeFromTabOrder={!isEdited}
        aria-label={text('today.stateOf', { name: who, state: text(`today.${state}`) })}
        onPress={() => {
          change(nextState[state], one);
        }}
      >
        <State one={one} />
      </AriaButton>
      {isEdited && (
        <>
          <Quiet
            size="meta"
            className={`wrap ${styles['added'] ?? ''}`}
            data-label={text('today.addedAt')}
          >
            {timeText(intl, one.addedAt)} <bdi>{one.addedBy}</bdi>
          </Quiet>
          <IconButton
            icon={Minus}
            label={text('today.remove', { name: who })}
            onPress={() => {
              change('remove', one);
            }}
          />
        </>
      )}
    </li>
  );
}

function State({ one }: { one: TodayPerson }): ReactElement {
  const { state, arrivedAt } = one;
  const text = useText();
  const intl = useIntl();
  const since = arrivedAt === undefined ? '' : timeText(intl, arrivedAt);
  return (
    <>
      {state === 'done' && <Icon of={Check} />}
      {state === 'arrived' && <span aria-hidden="true" className={styles['dot']} />}
      <span>
        {text(`today.${state}`)} {state === 'arrived' && since}
      </span>
    </>
  );
}

function TimeField({ one, who }: { one: TodayPerson; who: string }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { change } = useToday();
  const [draft, setDraft] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const finish = (): void => {
    if (draft === undefined) return;
    const time = clockTimeOf(draft);
    const isEmpty = draft.trim() === '';
    setWrong(time === undefined && !isEmpty);
    if (time === undefined && !isEmpty) return;
    setDraft(undefined);
    if (time !== one.time) change('time', one, time);
  };
  return (
    <span className="stack narrow">
      <input
        aria-label={text('today.timeOf', { name: who })}
        aria-invalid={isWrong}
        className={`framed numbers ${styles['time'] ?? ''}`}
        placeholder="–"
        maxLength={8}
        value={draft ?? (one.time === undefined ? '' : clockText(intl, one.time))}
        onChange={({ currentTarget: { value } }) => {
          setDraft(value);
        }}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish();
        }}
      />
      {isWrong && (
        <span role="alert" className="meta bold flagged">
          {text('today.timeWrong')}
        </span>
      )}
    </span>
  );
}
