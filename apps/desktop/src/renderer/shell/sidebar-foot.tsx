import { Eye, Lock, WifiOff, Wifi } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { IconButton } from '../components/controls.tsx';
import { Avatar, Icon } from '../components/icon.tsx';
import { Quiet } from '../components/layout.tsx';
import { useOnline, useStatus } from '../state/app-state.ts';
import { useCurrentPerson, useMe, useRole } from '../state/me.tsx';
import { useRoleText, useText } from '../text/text.tsx';
import styles from './sidebar.module.css';

const StaffMenu = lazy(async () => ({ default: (await import('./staff-menu.tsx')).StaffMenu }));

/** Whether the service answers, that views are recorded, and who is at the desk. */
export function SidebarFoot(): ReactElement {
  const text = useText();
  const online = useOnline();
  return (
    <footer role="group" aria-label={text('status.label')} className={styles['foot']}>
      <p className={`${styles['line'] ?? ''} ${online ? '' : (styles['lost'] ?? '')}`}>
        <Icon of={online ? Wifi : WifiOff} />
        <span>{text(online ? 'status.online' : 'status.offline')}</span>
      </p>
      <p className={styles['line']}>
        <Icon of={Eye} />
        <span>{text('status.audited')}</span>
      </p>
      <Who />
    </footer>
  );
}

/** The staff member; of a key that is bound to nobody, the key. */
function Who(): ReactElement {
  const text = useText();
  const roleText = useRoleText();
  const { keyId } = useStatus();
  const person = useCurrentPerson();
  const me = useMe();
  const role = useRole();
  const [isOpen, setOpen] = useState(false);
  const name = person?.name ?? me?.name ?? text('status.key', { id: keyId ?? '–' });
  return (
    <div className={styles['me']}>
      <AriaButton
        className={styles['who'] ?? ''}
        aria-haspopup="menu"
        onPress={() => {
          setOpen(true);
        }}
      >
        <Avatar name={name} />
        <span className={styles['names']}>
          <b className={styles['cut']} title={name}>
            {name}
          </b>
          {role !== undefined && <Quiet size="meta">{roleText(role)}</Quiet>}
        </span>
      </AriaButton>
      <IconButton
        icon={Lock}
        label={text('status.lock')}
        title={text('status.lockKeys')}
        onPress={() => void window.caregate.lock({})}
      />
      {isOpen && (
        <Suspense>
          <StaffMenu
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
