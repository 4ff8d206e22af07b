import { useEffect, useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import type { Person } from '../../../bridge/people.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useOnline, useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { PinField } from './pin-field.tsx';

/** The PIN of whoever was picked. Without one, or once its tries are used up, only the sign-in opens the desk. */
export function Unlock(props: {
  readonly person: Person;
  readonly onSignIn: () => void;
}): ReactElement {
  const { person, onSignIn } = props;
  const { staffId, name, pinSet } = person;
  const text = useText();
  const said = useProblemText();
  const { pin: length, provider } = useStatus();
  const online = useOnline();
  const [pin, setPin] = useState('');
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const field = useRef<HTMLInputElement>(null);
  const isFixed = length.min === length.max;
  useEffect(() => {
    field.current?.focus();
  }, []);
  const unlock = (digits: string): void => {
    if (working) return;
    setWorking(true);
    setProblem(undefined);
    void window.caregate.unlockWithPin({ staffId, pin: digits }).then((outcome) => {
      setWorking(false);
      setPin('');
      if (outcome.ok) return;
      setProblem(outcome.problem);
      field.current?.focus();
    });
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (pin.length >= length.min) unlock(pin);
    else if (!working) field.current?.focus();
  };
  const kind = problem?.kind;
  if (!pinSet || kind === 'pinTriedOut' || kind === 'noPin' || kind === 'signedOut') {
    return (
      <div className={styles['pin']}>
        <p role="alert">
          {kind === undefined ? text('lock.noPin', { name }) : said(problem ?? { kind })}
        </p>
        <Button kind="main" autoFocus onPress={onSignIn}>
          {provider === undefined
            ? text('browser.byKey')
            : text('browser.submit', { provider: provider.name })}
        </Button>
      </div>
    );
  }
  const isOffline = !online || kind === 'offline' || kind === 'timeout';
  return (
    <form
      onSubmit={onSubmit}
      className={styles['pin']}
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
        error={kind === 'wrongPin' ? said(problem ?? { kind }) : undefined}
        help={
          working
            ? text('lock.checking')
            : text(isFixed ? 'lock.opensAt' : 'lock.opensBy', { count: length.max })
        }
        onChange={(typed) => {
          if (working) return;
          setPin(typed);
          if (typed !== '') setProblem(undefined);
          if (isFixed && typed.length === length.max) unlock(typed);
        }}
      />
      {isOffline ? (
        <p role="alert" className={styles['offline']}>
          {text('lock.offline')}
        </p>
      ) : (
        problem !== undefined && kind !== 'wrongPin' && <ProblemNote problem={problem} />
      )}
    </form>
  );
}
