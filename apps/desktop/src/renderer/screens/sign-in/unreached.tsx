import type { ReactElement } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useText } from '../../text/text.tsx';
import { OtherClinic } from './gate-frame.tsx';
import styles from './gate.module.css';
import { heals } from './use-clinic.ts';

/** A desk whose service hasn't answered since the program began: it goes on by itself once it does. */
export function Unreached(props: {
  readonly problem: Problem;
  readonly onRetry: () => void;
  readonly onKey: () => void;
  readonly onBack: (() => void) | undefined;
}): ReactElement {
  const { problem, onRetry, onKey, onBack } = props;
  const text = useText();
  return (
    <div className={styles['form']}>
      <div>
        <h1>{text('signIn.title')}</h1>
        {heals(problem) && <p className={styles['lead']}>{text('signIn.keepsTrying')}</p>}
      </div>
      <ProblemNote problem={problem} onRetry={onRetry} />
      <div className={styles['actions']}>
        <Button kind="quiet" onPress={onKey}>
          {text('browser.byKey')}
        </Button>
        <OtherClinic onPress={onBack} />
      </div>
    </div>
  );
}
