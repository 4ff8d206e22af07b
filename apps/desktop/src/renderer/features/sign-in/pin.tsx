import { useEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import type { Person } from '../../../shared/people.ts';
import { UNREACHED } from '../../../shared/problem.ts';
import { Button } from '../../ui/controls.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ProblemNote, useProblemText } from '../../ui/problem.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useOnline, useStatus } from '../../api/app-state.ts';
import { unwrap } from '../../api/service-call.ts';
import { latinDigits, useText } from '../../i18n/text.tsx';
import { BoxField } from './box-field.tsx';
import { GateForm } from './gate-form.tsx';
import { FirstSteps } from './gate-frame.tsx';
import styles from './gate.module.css';

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
  useEffect(() => {
    field.current?.focus();
  }, []);
  const kind = problem?.kind;
  if (!pinSet || kind === 'pinTriedOut' || kind === 'noPin' || kind === 'signedOut') {
    return (
      <Stack className={styles['pin']}>
        <p role="alert">
          {problem === undefined ? text('lock.noPin', { name }) : problemText(problem)}
        </p>
        <Button kind="main" autoFocus onPress={onSignIn}>
          {text('browser.submit', { provider: provider?.name ?? '' })}
        </Button>
      </Stack>
    );
  }
  // A problem has its own cause; `online` counts only without one.
  const isOffline = kind === undefined ? !online : UNREACHED.includes(kind);
  return (
    <Stack
      as="form"
      className={styles['pin']}
      onSubmit={(event) => {
        event.preventDefault();
        if (pin.length >= length.min) {
          run(
            () => unwrap(window.caregate.unlockSession({ staffId, pin })),
            () => {
              setPin('');
            },
          );
        } else if (!working) field.current?.focus();
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
        help={text(working ? 'lock.checking' : 'lock.opensBy')}
        onChange={(typed) => {
          if (working) return;
          setPin(typed);
          if (typed !== '') clear();
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

/** Typed twice, since nobody can look it up. */
export function ChoosePin(props: {
  readonly name: string;
  readonly onLater: () => void;
}): ReactElement {
  const { name, onLater } = props;
  const text = useText();
  const problemText = useProblemText();
  const { min, max } = useStatus().pin;
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<'pin.short' | 'pin.differs'>();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => first.current?.focus());
  const isWeak = problem?.kind === 'weakPin';
  return (
    <FirstSteps label={text('pin.title')} at="desk">
      <GateForm
        title={text('pin.title')}
        lead={text('pin.help', { name })}
        problem={isWeak ? undefined : problem}
        hasKey
        submit={text(working ? 'pin.working' : 'pin.submit')}
        others={
          <Button kind="quiet" onPress={onLater}>
            {text('pin.later')}
          </Button>
        }
        onSubmit={() => {
          if (pin.length < min) {
            setWrong('pin.short');
            first.current?.focus();
          } else if (again === '') {
            second.current?.focus();
          } else if (pin === again) {
            run(() => unwrap(window.caregate.setPin({ pin })));
          } else {
            setWrong('pin.differs');
            setAgain('');
            second.current?.focus();
          }
        }}
      >
        <PinField
          label={text('pin.new')}
          value={pin}
          min={min}
          max={max}
          autoFocus
          inputRef={first}
          error={
            wrong === 'pin.short' ? text(wrong, { min }) : isWeak ? problemText(problem) : undefined
          }
          onChange={(typed) => {
            setPin(typed);
            setWrong(undefined);
            clear();
          }}
        />
        <PinField
          label={text('pin.again')}
          value={again}
          min={min}
          max={max}
          inputRef={second}
          error={wrong === 'pin.differs' ? text(wrong) : undefined}
          help={text('pin.againHelp')}
          onChange={(typed) => {
            setAgain(typed);
            setWrong(undefined);
          }}
        />
      </GateForm>
    </FirstSteps>
  );
}

function PinField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (digits: string) => void;
  readonly min: number;
  readonly max: number;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}): ReactElement {
  const { value, min, max, help, autoFocus = false, ...field } = props;
  const text = useText();
  return (
    <BoxField
      {...field}
      isHidden
      value={value}
      boxes={Math.max(min, Math.min(max, value.length))}
      read={(typed) => latinDigits(typed).replaceAll(/\D/gu, '')}
      help={help ?? text('pin.digits', { min, max })}
      input={{ type: 'password', inputMode: 'numeric', maxLength: max, autoFocus }}
    />
  );
}
