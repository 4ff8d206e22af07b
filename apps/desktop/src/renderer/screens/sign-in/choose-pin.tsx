import { useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, KeyCap } from '../../components/controls.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { GateFrame } from './gate-frame.tsx';
import { PinField } from './pin-field.tsx';
import { Steps } from './steps.tsx';
import { useSignIn } from './use-sign-in.ts';

type Wrong = 'pin.short' | 'pin.differs';

/** After the first sign-in: the PIN that unlocks this desk. Typed twice, since nobody can look it up again. */
export function ChoosePin(props: {
  readonly name: string;
  readonly onLater: () => void;
}): ReactElement {
  const { name, onLater } = props;
  const text = useText();
  const said = useProblemText();
  const { min, max } = useStatus().pin;
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<Wrong>();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const { run, working, problem, changed } = useSignIn(() => first.current?.focus());
  const isWeak = problem?.kind === 'weakPin';
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (pin.length < min) {
      setWrong('pin.short');
      first.current?.focus();
    } else if (again === '') {
      second.current?.focus();
    } else if (pin === again) {
      run(() => window.caregate.setPin({ pin }));
    } else {
      setWrong('pin.differs');
      setAgain('');
      second.current?.focus();
    }
  };
  const shortOrWeak =
    wrong === 'pin.short' ? text(wrong, { min }) : isWeak ? said(problem) : undefined;
  return (
    <GateFrame label={text('pin.title')}>
      <div className={styles['first']}>
        <Steps at="desk" />
        <div className={styles['card']}>
          <form onSubmit={onSubmit} className={styles['form']}>
            <div>
              <h1>{text('pin.title')}</h1>
              <p className={styles['lead']}>{text('pin.help', { name })}</p>
            </div>
            {problem !== undefined && !isWeak && <ProblemNote problem={problem} />}
            <PinField
              label={text('pin.new')}
              value={pin}
              min={min}
              max={max}
              autoFocus
              inputRef={first}
              error={shortOrWeak}
              onChange={(typed) => {
                setPin(typed);
                setWrong(undefined);
                changed('key');
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
            <div className={styles['actions']}>
              <Button kind="main" type="submit">
                {text(working ? 'pin.working' : 'pin.submit')}
                <KeyCap keys="Enter" />
              </Button>
              <Button kind="quiet" onPress={onLater}>
                {text('pin.later')}
              </Button>
            </div>
          </form>
        </div>
      </div>
    </GateFrame>
  );
}
