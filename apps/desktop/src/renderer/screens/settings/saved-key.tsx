import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import styles from './settings.module.css';

/** Whether the key of whoever is signed in is kept, and when it is asked for all the same. */
export function SavedKey(): ReactElement {
  const text = useText();
  const { keySaved, canSaveKey } = useStatus();
  const kept: MessageKey = keySaved ? 'settings.keySaved' : 'settings.keyNotSaved';
  return (
    <section aria-label={text('settings.key')} className={styles['group']}>
      <h2 className={styles['label']}>{text('settings.key')}</h2>
      <p className={styles['quiet']}>{text(canSaveKey ? kept : 'signIn.cannotSave')}</p>
      {keySaved && (
        <div>
          <Button onPress={() => void window.caregate.forgetKey({})}>
            {text('signIn.forgetSaved')}
          </Button>
        </div>
      )}
    </section>
  );
}
