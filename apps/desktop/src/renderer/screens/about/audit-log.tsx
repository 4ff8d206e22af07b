import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../components/controls.tsx';
import { useWitness } from '../../state/app-state.ts';
import { momentText } from '../../components/dates.tsx';
import { useText } from '../../text/text.tsx';
import styles from './about.module.css';

export function AuditLog(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { kind, size, checkedAt, why, foundAt, evidence } = useWitness() ?? { kind: 'nothing' };
  const isKnown = size !== undefined && checkedAt !== undefined;
  return (
    <section aria-label={text('witness.log')}>
      <h2>{text('witness.log')}</h2>
      {kind === 'nothing' && <p>{text('witness.nothing')}</p>}
      {kind === 'broken' && why !== undefined && (
        <>
          <p>
            <strong>{text('witness.title')}</strong> {text(`witness.${why}`)}{' '}
            {text('witness.next', { time: momentText(intl, foundAt ?? '') ?? '' })}
          </p>
          <h3>{text('witness.evidence')}</h3>
          <pre dir="ltr" className={styles['terms']}>
            {evidence}
          </pre>
          <p>{text('witness.resetHelp')}</p>
          <div>
            <Button onPress={() => void window.caregate.resetWitness({})}>
              {text('witness.reset')}
            </Button>
          </div>
        </>
      )}
      {kind === 'holds' && isKnown && (
        <p>{text('witness.holds', { size, time: momentText(intl, checkedAt) ?? checkedAt })}</p>
      )}
    </section>
  );
}
