import type { ReactElement } from 'react';
import { Button, Code } from '../components/controls.tsx';
import { useLockCountdown, useMinutesLeft, useOnline, useStatus } from '../state/app-state.ts';
import { useText } from '../text/text.tsx';
import styles from './shell.module.css';

/** What can't wait: a lost connection, a lock or a sign-out that is near. In sight wherever the page is scrolled to. */
export function Urgent(): ReactElement {
  const text = useText();
  const online = useOnline();
  const countdown = useLockCountdown();
  const minutes = useMinutesLeft();
  return (
    <div className={styles['urgent']}>
      <span role="status">{online ? '' : text('status.lost')}</span>
      {countdown !== undefined && (
        <strong role="timer">{text('status.lockIn', { seconds: countdown })}</strong>
      )}
      {minutes !== undefined && <strong>{text('status.signOutIn', { minutes })}</strong>}
    </div>
  );
}

/** Who is signed in where, and whether the service answers. */
export function StatusBar(): ReactElement {
  const text = useText();
  const { keyId, address } = useStatus();
  const online = useOnline();
  return (
    <footer aria-label={text('status.label')} className={styles['status']}>
      <span>{text('status.key', { id: keyId ?? '–' })}</span>
      <Code>{address}</Code>
      <span className={online ? undefined : styles['warning']}>
        {text(online ? 'status.online' : 'status.offline')}
      </span>
      <span>{text('status.audited')}</span>
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
