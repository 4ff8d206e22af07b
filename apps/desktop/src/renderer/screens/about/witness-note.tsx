import { useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../components/controls.tsx';
import { useWitness } from '../../state/app-state.ts';
import { momentText } from '../../components/values/dates.tsx';
import { useText } from '../../text/text.tsx';
import styles from './witness-note.module.css';

export function WitnessNote(): ReactElement | null {
  const text = useText();
  const intl = useIntl();
  const state = useWitness();
  const [isHidden, setHidden] = useState(false);
  if (state?.kind !== 'broken' || state.why === undefined || isHidden) return null;
  return (
    <section
      role="alert"
      aria-label={text('witness.title')}
      className={`stack gap2 ${styles['note'] ?? ''}`}
    >
      <strong>{text('witness.title')}</strong>
      <p>{text(`witness.${state.why}`)}</p>
      <p>{text('witness.next', { time: momentText(intl, state.foundAt ?? '') })}</p>
      <div>
        <Button
          onPress={() => {
            setHidden(true);
          }}
        >
          {text('witness.hide')}
        </Button>
      </div>
    </section>
  );
}
