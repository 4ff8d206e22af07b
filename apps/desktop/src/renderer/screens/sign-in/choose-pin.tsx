import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { Button, KeyCap } from '../../components/controls.tsx';
import { useProblemText } from '../../components/problem.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { useStatus } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { GateForm } from './gate-form.tsx';
import { FirstSteps } from './gate-frame.tsx';
import { PinField } from './pin-field.tsx';

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
        submit={
          <>
            {text(working ? 'pin.working' : 'pin.submit')}
            <KeyCap keys="Enter" />
          </>
        }
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
            if (min === max && typed.length === max) second.current?.focus();
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
