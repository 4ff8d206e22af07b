import type { ReactElement } from 'react';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';

const STEPS = ['connect', 'signIn', 'desk'] as const;
type Step = (typeof STEPS)[number];

/** How far somebody is who comes to a desk for the first time. */
export function Steps({ at }: { at: Step }): ReactElement {
  const text = useText();
  return (
    <ol className={styles['steps']} aria-label={text('steps.label')}>
      {STEPS.map((step, place) => (
        <li key={step} {...(step === at && { 'aria-current': 'step' as const })}>
          <span aria-hidden="true" className={styles['number']}>
            {place + 1}
          </span>
          <span>
            <b>{text(`steps.${step}`)}</b>
            <br />
            <span className={styles['quiet']}>{text(`steps.${step}Help`)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
