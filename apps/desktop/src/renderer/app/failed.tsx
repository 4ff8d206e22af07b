import { EyeOff, Lock, RotateCw } from 'lucide-react';
import { useLayoutEffect } from 'react';
import { useStatus } from '../api/app-state.ts';
import { useText, type MessageKey } from '../i18n/text.tsx';
import { Button, KeyCap } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Quiet, Row } from '../ui/layout.tsx';
import styles from './failed.module.css';
import { formatKeys } from './keyboard.ts';
import { useWorkspace } from './workspace.tsx';

/** Replaces a screen that threw, and hides the patient and the recent patients. */
export function FailedScreen({ onReload }: { onReload: () => void }) {
  const { setScreenFailed } = useWorkspace();
  useLayoutEffect(() => {
    setScreenFailed(true);
    return () => setScreenFailed(false);
  }, [setScreenFailed]);
  return <Failed help="failure.help" onReload={onReload} />;
}

/** Replaces the whole window if something outside the screens threw. */
export function FailedApp() {
  return (
    <main>
      <Failed help="failure.window" onReload={() => location.reload()} />
    </main>
  );
}

function Failed(props: { readonly help: MessageKey; readonly onReload: () => void }) {
  const { help, onReload } = props;
  const text = useText();
  const { phase } = useStatus();
  return (
    <div className={`center gap4 ${styles['failed'] ?? ''}`}>
      <span className={`center marked ${styles['mark'] ?? ''}`}>
        <Icon of={EyeOff} big />
      </span>
      <div role="alert" className={`stack gap2 ${styles['text'] ?? ''}`}>
        <h1>{text('failure.title')}</h1>
        <p className="quiet">{text(help)}</p>
      </div>
      <Row>
        <Button kind="main" autoFocus onPress={onReload}>
          <Icon of={RotateCw} />
          {text('failure.reload')} <KeyCap keys="Enter" />
        </Button>
        {phase === 'signedIn' && (
          <Button onPress={() => void window.caregate.lock({})}>
            <Icon of={Lock} />
            {text('status.lock')} <KeyCap keys={formatKeys('lock')} />
          </Button>
        )}
      </Row>
      <Quiet as="p" size="meta">
        {text('failure.support')}
      </Quiet>
    </div>
  );
}
