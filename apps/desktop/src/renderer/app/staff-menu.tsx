import { Info, LogOut, type LucideIcon } from 'lucide-react';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { useIntl } from 'react-intl';
import { formatTime } from '../ui/values/dates.tsx';
import { entryClass } from '../ui/entry.tsx';
import { KeyCap } from '../ui/controls.tsx';
import { Avatar, Icon } from '../ui/icon.tsx';
import { Quiet } from '../ui/layout.tsx';
import { Overlay } from '../ui/overlay.tsx';
import { useStatus } from '../api/app-state.ts';
import { formatKeys } from './keyboard.ts';
import { useCurrentPerson } from './me.tsx';
import { useNavigation } from './navigation.tsx';
import { useFormatRole, useText } from '../i18n/text.tsx';
import styles from './staff-menu.module.css';

export default function StaffMenu({ onClose }: { onClose: () => void }) {
  const text = useText();
  const intl = useIntl();
  const formatRole = useFormatRole();
  const { people, current } = useStatus();
  const endsAt = useCurrentPerson()?.endsAt;
  const { go } = useNavigation();
  const { caregate } = window;
  return (
    <Overlay
      place="end"
      aria-label={text('staff.menu')}
      onClose={onClose}
      className={styles['menu'] ?? ''}
    >
      {endsAt !== undefined && (
        <Quiet as="p" size="meta" className={styles['until']}>
          {text('staff.until', { time: formatTime(intl, endsAt) })}
        </Quiet>
      )}
      <Menu
        aria-label={text('staff.menu')}
        autoFocus="first"
        onAction={(id) => {
          onClose();
          if (id === 'about') go(id);
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
            className={`${entryClass} ${styles['item'] ?? ''}`}
            {...(staffId === current && { 'data-current': '' })}
          >
            <Avatar name={name} />
            <span className="stack wrap grow narrow">
              <b>{name}</b>
              <Quiet size="meta">{formatRole(role)}</Quiet>
            </span>
            {staffId === current ? (
              <Quiet size="meta">{text('staff.here')}</Quiet>
            ) : (
              place < 9 && <KeyCap keys={formatKeys('switchUser', place + 1)} />
            )}
          </MenuItem>
        ))}
        {people.length > 0 && <Command id="else" name={text('lock.someoneElse')} />}
        <Command id="about" icon={Info} name={text('screen.about')} />
        <Command id="signOut" icon={LogOut} name={text('status.signOut')} />
      </Menu>
    </Overlay>
  );
}

function Command(props: {
  readonly id: string;
  readonly name: string;
  readonly icon?: LucideIcon;
}) {
  const { id, name, icon } = props;
  return (
    <MenuItem id={id} textValue={name} className={`${entryClass} ${styles['item'] ?? ''}`}>
      {icon !== undefined && <Icon of={icon} />}
      <span className="stack wrap grow narrow">{name}</span>
    </MenuItem>
  );
}
