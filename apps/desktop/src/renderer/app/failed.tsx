import type { ReactElement } from 'react';
import { Button } from '../ui/controls.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { useStatus } from '../api/app-state.ts';
import { useText } from '../i18n/text.tsx';
import styles from './shell.module.css';

/** Replaces a screen that threw; the rest of the window still works. */
export function FailedScreen({ onAgain }: { onAgain: () => void }): ReactElement {
  const text = useText();
  return (
    <Stack>
      <div role="alert">
        <h1>{text('failure.screen')}</h1>
        <p>{text('failure.help')}</p>
      </div>
      <Row>
        <Button kind="main" autoFocus onPress={onAgain}>
          {text('state.retry')}
        </Button>
      </Row>
    </Stack>
  );
}

/** Replaces the whole window if something outside the screens threw. */
export function FailedApp(): ReactElement {
  const text = useText();
  const { phase } = useStatus();
  return (
    <main className={styles['failed']}>
      <Stack>
        <div role="alert">
          <h1>{text('failure.app')}</h1>
          <p>{text('failure.help')}</p>
        </div>
        <Row>
          <Button
            kind="main"
            autoFocus
            onPress={() => {
              location.reload();
            }}
          >
            {text('failure.reload')}
          </Button>
          {phase === 'signedIn' && (
            <Button
              onPress={() => {
                void window.caregate.lock({});
              }}
            >
              {text('status.lock')}
            </Button>
          )}
        </Row>
      </Stack>
    </main>
  );
}
