import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { useStatus } from '../../state/app-state.ts';
import { Quiet, Stack } from '../../components/layout.tsx';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import styles from './settings.module.css';

/** Whether the key of whoever is signed in is kept, and when it is asked for all the same. */
export function SavedKey(): ReactElement {
  const text = useText();
  const { keySaved, canSaveKey } = useStatus();
  const kept: MessageKey = keySaved ? 'settings.keySaved' : 'settings.keyNotSaved';
  return (
    <Stack as="section" gap="gap1" aria-label={text('settings.key')}>
      <h2 className={styles['label']}>{text('settings.key')}</h2>
      <Quiet as="p" size="help">
        {text(canSaveKey ? kept : 'signIn.cannotSave')}
      </Quiet>
      {keySaved && (
        <div>
          <Button onPress={() => void window.caregate.forgetKey({})}>
            {text('signIn.forgetSaved')}
          </Button>
        </div>
      )}
    </Stack>
  );
}
