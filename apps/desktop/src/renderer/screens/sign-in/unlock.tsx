import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Person } from '../../../bridge/people.ts';
import { Button } from '../../components/controls.tsx';
import { Stack } from '../../components/layout.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { Banner } from '../../components/surfaces.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { useOnline, useStatus } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { PinField } from './pin-field.tsx';

/** Without a PIN, or after too many wrong ones, only the sign-in opens the desk. */
export function Unlock(props: {
  readonly person: Person;
  readonly onSignIn: () => void;
}): ReactElement {
  const { person, onSignIn } = props;
  const { staffId, name, pinSet } = person;
  const text = useText();
  const problemText = useProblemText();
  const { pin: length, provider } = useStatus();
  const online = useOnline();
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => {
    setPin('');
    field.current?.focus();
  });
  const isFixed = length.min === length.max;
  useEffect(() => {
    field.current?.focus();
  }, []);
  const unlock = (digits: string): void => {
    run(
      () => unwrap(window.caregate.unlockWithPin({ staffId, pin: digits })),
      () => {
        setPin('');
      },
    );
  };
  const kind = problem?.kind;
  if (!pinSet || kind === 'pinTriedOut' || kind === 'noPin' || kind === 'signedOut') {
    return (
      <Stack className={styles['pin']}>
        <p role="alert">
          {problem === undefined ? text('lock.noPin', { name }) : problemText(problem)}
        </p>
        <Button kind="main" autoFocus onPress={onSignIn}>
          {provider === undefined
            ? text('browser.byKey')
            : text('browser.submit', { provider: provider.name })}
        </Button>
      </Stack>
    );
  }
  const isOffline = !online || kind === 'offline' || kind === 'timeout';
  return (
    <Stack
      as="form"
      className={styles['pin']}
      onSubmit={(event) => {
        event.preventDefault();
        if (pin.length >= length.min) unlock(pin);
        else if (!working) field.current?.focus();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setPin('');
      }}
    >
      <PinField
        label={text('lock.pinOf', { name })}
        value={pin}
        min={length.min}
        max={length.max}
        autoFocus
        inputRef={field}
        error={problem?.kind === 'wrongPin' ? problemText(problem) : undefined}
        help={
          working
            ? text('lock.checking')
            : text(isFixed ? 'lock.opensAt' : 'lock.opensBy', { count: length.max })
        }
        onChange={(typed) => {
          if (working) return;
          setPin(typed);
          if (typed !== '') clear();
          if (isFixed && typed.length === length.max) unlock(typed);
        }}
      />
      {isOffline ? (
        <Banner kind="notice" role="alert">
          {text('lock.offline')}
        </Banner>
      ) : (
        problem !== undefined && kind !== 'wrongPin' && <ProblemNote problem={problem} />
      )}
    </Stack>
  );
}
