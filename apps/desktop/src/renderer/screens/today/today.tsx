import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import type { ReactElement } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { useIntl } from 'react-intl';
import type { TodayPerson } from '../../../bridge/app-state.ts';
import { useAgeText } from '../../components/age.ts';
import { Button, Code, controls, IconButton } from '../../components/controls.tsx';
import { Quiet, Stack } from '../../components/layout.tsx';
import { dayText } from '../../components/dates.tsx';
import { hidden, useMask, useMasked } from '../../state/mask.tsx';
import { useLookUp } from '../../state/look-up.tsx';
import { useToday } from '../../state/people/today.tsx';
import { useText } from '../../text/text.tsx';
import styles from './today.module.css';

/** The list that staff keep for the day. */
export function TodayScreen(): ReactElement {
  const text = useText();
  const { people } = useToday();
  const left = people.filter(({ isDone }) => !isDone).length;
  return (
    <Stack gap="gap3" className={styles['screen']}>
      <h1>{text('screen.today')}</h1>
      <Quiet as="p" size="row13" role="status">
        {people.length === 0
          ? text('today.empty')
          : text('today.count', { left, all: people.length })}
      </Quiet>
      <ol className={styles['list']}>
        {people.map((one, place) => (
          <li key={one.userId} className={`stack gap2 row13 ${styles['row'] ?? ''}`}>
            <Person one={one} place={place} isLast={place === people.length - 1} />
          </li>
        ))}
      </ol>
      <Quiet as="p" size="row13">
        {text('today.memory')}
      </Quiet>
    </Stack>
  );
}

const moves = [
  ['up', ArrowUp],
  ['down', ArrowDown],
  ['remove', Minus],
] as const;

function Person(props: {
  readonly one: TodayPerson;
  readonly place: number;
  readonly isLast: boolean;
}): ReactElement {
  const { one, place, isLast } = props;
  const { clientUserId, name, birthDate, isDone } = one;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const masked = useMasked();
  const ageText = useAgeText();
  const { lookUp } = useLookUp();
  const { change } = useToday();
  const who = masked ? `${hidden} ${String(place + 1)}` : (name ?? clientUserId);
  const age = birthDate === undefined ? undefined : ageText(birthDate, true);
  return (
    <>
      <ToggleButton
        isSelected={isDone}
        onChange={(next) => {
          change(next ? 'done' : 'undone', one);
        }}
        aria-label={text('today.doneOf', { name: who })}
        className={`line bare gap2 row13 ${styles['done'] ?? ''}`}
      >
        <span aria-hidden="true" className={controls.tick} />
        <span aria-hidden="true">{text('today.done')}</span>
      </ToggleButton>
      <Button
        kind="quiet"
        onPress={() => {
          lookUp(clientUserId);
        }}
      >
        <span className={isDone ? styles['struck'] : undefined}>
          <b>
            <bdi>{who}</bdi>
          </b>
        </span>
      </Button>
      <span className="numbers">
        {birthDate !== undefined && (
          <>
            {mask(dayText(intl, birthDate) ?? birthDate)} {age !== undefined && mask(age)}
          </>
        )}
      </span>
      <span>
        <Code>{mask(clientUserId)}</Code>
      </span>
      <span className={styles['moves']}>
        {moves.map(([act, icon]) => (
          <IconButton
            key={act}
            icon={icon}
            label={text(`today.${act}`, { name: who })}
            isDisabled={(act === 'up' && place === 0) || (act === 'down' && isLast)}
            onPress={() => {
              change(act, one);
            }}
          />
        ))}
      </span>
    </>
  );
}
