import { EyeOff, Lock, RotateCw } from 'lucide-react';
import { useLayoutEffect } from 'react';
import type { ReactElement } from 'react';
import { useStatus } from '../api/app-state.ts';
import { useText } from '../i18n/text.tsx';
import { Button, KeyCap } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Row } from '../ui/layout.tsx';
import styles from './failed.module.css';
import { formatKeys } from './keyboard.ts';
import { useWorkspace } from './workspace.tsx';

/** Replaces a screen that threw, and hides the patient and the recents beside it. */
export function FailedScreen({ onReload }: { onReload: () => void }): ReactElement {
  const { setScreenFailed } = useWorkspace();
  useLayoutEffect(() => {
    setScreenFailed(true);
    return () => {
      setScreenFailed(false);
    };
  }, [setScreenFailed]);
  return <Failed onReload={onReload} />;
}

/** Replaces the whole window if something outside the screens threw. */
export function FailedApp(): ReactElement {
  return (
    <main>
      <Failed
        onReload={() => {
          location.reload();
        }}
      />
    </main>
  );
}

function Failed({ onReload }: { onReload: () => void }): ReactElement {
  const text = useText();
  const { phase } = useStatus();
  return (
    <div className={styles['failed']}>
      <span className={styles['mark']}>
        <Icon of={EyeOff} big />
      </span>
      <div role="alert" className={styles['text']}>
        <h1>{text('failure.title')}</h1>
        <p className="quiet">{text('failure.help')}</p>
      </div>
      <Row>
        <Button kind="main" autoFocus onPress={onReload}>
          <Icon of={RotateCw} />
          {text('failure.reload')} <KeyCap keys="Enter" />
        </Button>
        {phase === 'signedIn' && (
          <Button
            onPress={() => {
              void window.caregate.lock({});
            }}
          >
            <Icon of={Lock} />
            {text('status.lock')} <KeyCap keys={formatKeys('lock')} />
          </Button>
        )}
      </Row>
    </div>
  );
}
