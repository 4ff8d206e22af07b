import type { ReactElement } from 'react';
import { Button, Code } from '../components/controls.tsx';
import { useLockCountdown, useMinutesLeft, useOnline, useStatus } from '../service/app-state.ts';
import { useText } from '../text/text.tsx';
import styles from './shell.module.css';

/** Who is signed in where, whether the service answers, and when it locks. */
export function StatusBar(): ReactElement {
  const text = useText();
  const { keyId, address } = useStatus();
  const online = useOnline();
  const countdown = useLockCountdown();
  const minutes = useMinutesLeft();
  return (
    <footer aria-label={text('status.label')} className={styles['status']}>
      <span>{text('status.key', { id: keyId ?? '–' })}</span>
      <Code>{address}</Code>
      <span role="status" className={online ? undefined : styles['warning']}>
        {text(online ? 'status.online' : 'status.offline')}
      </span>
      <span>{text('status.audited')}</span>
      {countdown !== undefined && (
        <strong role="timer">{text('status.lockIn', { seconds: countdown })}</strong>
      )}
      {minutes !== undefined && <strong>{text('status.signOutIn', { minutes })}</strong>}
      <span className={styles['gap']} />
      <Button kind="quiet" onPress={() => void window.caregate.lock({})}>
        {text('status.lock')}
      </Button>
      <Button kind="quiet" onPress={() => void window.caregate.signOut({})}>
        {text('status.signOut')}
      </Button>
    </footer>
  );
}
