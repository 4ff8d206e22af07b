import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import styles from './settings.module.css';

/** Whether the key of whoever is signed in is kept, and when it is asked for all the same. */
export function KeptKey(): ReactElement {
  const text = useText();
  const { keyKept, canKeepKey } = useStatus();
  const kept: MessageKey = keyKept ? 'settings.keyKept' : 'settings.keyNotKept';
  return (
    <section aria-label={text('settings.key')} className={styles['group']}>
      <h2 className={styles['label']}>{text('settings.key')}</h2>
      <p className={styles['quiet']}>{text(canKeepKey ? kept : 'signIn.cannotKeep')}</p>
      {keyKept && (
        <div>
          <Button onPress={() => void window.caregate.forgetKey({})}>
            {text('signIn.forgetKept')}
          </Button>
        </div>
      )}
    </section>
  );
}
