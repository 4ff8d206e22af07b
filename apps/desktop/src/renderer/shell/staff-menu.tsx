import { Info, Lock, LogOut, Settings } from 'lucide-react';
import type { ReactElement } from 'react';
import { timeText } from '../components/dates.tsx';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { useIntl } from 'react-intl';
import { KeyCap } from '../components/controls.tsx';
import { Avatar, Icon } from '../components/icon.tsx';
import { Overlay } from '../components/overlay.tsx';
import { Dialog } from 'react-aria-components/Dialog';
import { useStatus } from '../state/app-state.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useCurrentPerson } from '../state/me.tsx';
import { useRoleText, useText } from '../text/text.tsx';
import styles from './staff-menu.module.css';

/** Who else is signed in at this desk, to hand it over by one key; and the way out. */
export function StaffMenu({ onClose }: { onClose: () => void }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const roleText = useRoleText();
  const { people, current } = useStatus();
  const endsAt = useCurrentPerson()?.endsAt;
  const { go } = useNavigation();
  const { caregate } = window;
  return (
    <Overlay place="end" onClose={onClose}>
      <Dialog aria-label={text('staff.menu')} className={styles['menu'] ?? ''}>
        {endsAt !== undefined && (
          <p className={styles['until']}>
            {text('staff.until', {
              time: timeText(intl, endsAt),
            })}
          </p>
        )}
        <Menu
          aria-label={text('staff.menu')}
          autoFocus="first"
          onAction={(id) => {
            onClose();
            if (id === 'settings' || id === 'about') go(id);
            else if (id === 'lock') void caregate.lock({});
            else if (id === 'signOut') void caregate.signOut({});
            else if (id === 'else') void caregate.switchTo({});
            else if (id !== current) void caregate.switchTo({ staffId: String(id) });
          }}
        >
          {people.map(({ staffId, name, role }, place) => (
            <MenuItem
              key={staffId}
              id={staffId}
              textValue={name}
              className={`${styles['item'] ?? ''} ${staffId === current ? (styles['is'] ?? '') : ''}`}
            >
              <Avatar name={name} />
              <span className={styles['names']}>
                <b>{name}</b>
                <span className={styles['role']}>{roleText(role)}</span>
              </span>
              {staffId === current ? (
                <span className={styles['role']}>{text('staff.here')}</span>
              ) : (
                place < 9 && <kbd>{`Alt ${String(place + 1)}`}</kbd>
              )}
            </MenuItem>
          ))}
          {people.length > 0 && (
            <MenuItem id="else" className={styles['item'] ?? ''}>
              {text('lock.someoneElse')}
            </MenuItem>
          )}
          <MenuItem
            id="settings"
            textValue={text('screen.settings')}
            className={styles['item'] ?? ''}
          >
            <Icon of={Settings} />
            <span className={styles['names']}>{text('screen.settings')}</span>
          </MenuItem>
          <MenuItem id="about" textValue={text('screen.about')} className={styles['item'] ?? ''}>
            <Icon of={Info} />
            <span className={styles['names']}>{text('screen.about')}</span>
          </MenuItem>
          <MenuItem
            id="signOut"
            textValue={text('status.signOut')}
            className={styles['item'] ?? ''}
          >
            <Icon of={LogOut} />
            <span className={styles['names']}>{text('status.signOut')}</span>
          </MenuItem>
          <MenuItem id="lock" textValue={text('status.lock')} className={styles['item'] ?? ''}>
            <Icon of={Lock} />
            <span className={styles['names']}>{text('status.lock')}</span>
            <KeyCap keys="Ctrl L" />
          </MenuItem>
        </Menu>
      </Dialog>
    </Overlay>
  );
}
