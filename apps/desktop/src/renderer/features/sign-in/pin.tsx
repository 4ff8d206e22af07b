import { useEffect, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Person } from '../../../shared/people.ts';
import { UNREACHABLE_KINDS } from '../../../shared/problem.ts';
import { Button } from '../../ui/controls.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ProblemNote, useFormatProblem } from '../../ui/problem.tsx';
import { Banner, Card } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useOnline, useStatus } from '../../api/app-state.ts';
import { unwrap } from '../../api/service-call.ts';
import { toLatinDigits, useText } from '../../i18n/text.tsx';
import { GateForm, GateFrame } from './gate.tsx';
import styles from './gate.module.css';

/** Without a PIN, or after too many wrong ones, the user has to sign in. */
export function Unlock(props: { readonly person: Person; readonly onSignIn: () => void }) {
  const { person, onSignIn } = props;
  const { staffId, name, pinSet } = person;
  const text = useText();
  const formatProblem = useFormatProblem();
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
          {problem === undefined ? text('lock.noPin', { name }) : formatProblem(problem)}
        </p>
        <Button kind="main" autoFocus onPress={onSignIn}>
          {text('browser.submit', { provider: provider?.name ?? '' })}
        </Button>
      </Stack>
    );
  }
  // If there is a problem, it tells whether the desk is offline. Otherwise `online` does.
  const isOffline = kind === undefined ? !online : UNREACHABLE_KINDS.includes(kind);
  return (
    <Stack
      as="form"
      className={styles['pin']}
      onSubmit={(event) => {
        event.preventDefault();
        if (pin.length >= length.min) {
          run(
            () => unwrap(window.caregate.unlockSession({ staffId, pin })),
            () => setPin(''),
          );
        } else if (!working) field.current?.focus();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setPin('');
      }}
    >
      <PinField
        label={text('lock.pinOf', { name })}
        isUnlabeled
        value={pin}
        autoFocus
        inputRef={field}
        error={problem?.kind === 'wrongPin' ? formatProblem(problem) : undefined}
        help={text(working ? 'state.working' : 'lock.help')}
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

/** A new PIN is typed twice, since it can't be looked up. */
export function ChoosePin(props: { readonly name: string; readonly onLater: () => void }) {
  const { name, onLater } = props;
  const text = useText();
  const formatProblem = useFormatProblem();
  const { min, max } = useStatus().pin;
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<'pin.short' | 'pin.differs'>();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => first.current?.focus());
  const isWeak = problem?.kind === 'weakPin';
  return (
    <GateFrame label={text('pin.title')}>
      <Card className={styles['card']}>
        <GateForm
          title={text('pin.title')}
          lead={text('pin.help', { name })}
          problem={isWeak ? undefined : problem}
          submit={text(working ? 'state.working' : 'pin.submit')}
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
            } else if (again === pin) {
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
            autoFocus
            inputRef={first}
            help={text('pin.digits', { min, max })}
            error={
              wrong === 'pin.short'
                ? text(wrong, { min })
                : isWeak
                  ? formatProblem(problem)
                  : undefined
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
            inputRef={second}
            error={wrong === 'pin.differs' ? text(wrong) : undefined}
            onChange={(typed) => {
              setAgain(typed);
              setWrong(undefined);
            }}
          />
        </GateForm>
      </Card>
    </GateFrame>
  );
}

/** Shows a box for each digit. One invisible field over the boxes takes the input. */
function PinField(props: {
  readonly label: string;
  readonly isUnlabeled?: boolean;
  readonly autoFocus?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}) {
  const { label, isUnlabeled = false, autoFocus = false, value, onChange } = props;
  const { help, error, inputRef } = props;
  const { min, max } = useStatus().pin;
  const id = useId();
  // React would also write the PIN of a controlled field into the `value` attribute, so only the property is set.
  useLayoutEffect(() => {
    if (inputRef.current !== null && inputRef.current.value !== value)
      inputRef.current.value = value;
  }, [inputRef, value]);
  return (
    <Stack className={styles['pin']}>
      <label htmlFor={id} className={isUnlabeled ? 'unseen' : 'body bold'}>
        {label}
      </label>
      <div className={`row gap2 ${styles['boxes'] ?? ''}`} dir="ltr">
        {Array.from({ length: Math.max(min, Math.min(max, value.length)) }, (_, place) => (
          <span
            key={place}
            aria-hidden="true"
            className="center framed"
            {...(place < value.length && { 'data-typed': '' })}
            {...(place === value.length && { 'data-next': '' })}
          />
        ))}
        <input
          type="password"
          inputMode="numeric"
          maxLength={max}
          autoFocus={autoFocus}
          ref={inputRef}
          id={id}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => {
            const next = toLatinDigits(target.value).replaceAll(/\D/gu, '');
            if (next !== target.value) target.value = next;
            onChange(next);
          }}
          // The caret is invisible, so it is kept at the end.
          onSelect={({ currentTarget }) => {
            const { value: all, selectionStart, selectionEnd } = currentTarget;
            if (selectionStart === selectionEnd && selectionEnd !== all.length)
              currentTarget.setSelectionRange(all.length, all.length);
          }}
        />
      </div>
      <p id={`${id}-help`} className={error === undefined ? 'quiet meta' : 'bold flagged'}>
        {error ?? help}
      </p>
    </Stack>
  );
}
