import { Eye, Lock, ScrollText, Search, Settings, Siren, Wifi, WifiOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { KeyCap } from '../ui/controls.tsx';
import { useEmergencyDialog } from '../features/emergency/use-emergency-dialog.tsx';
import { RecentEntry } from '../features/search/home.tsx';
import { useIsHome } from '../features/search/use-people-search.ts';
import { Entry } from '../ui/entry.tsx';
import { Avatar, Glyph, Icon } from '../ui/icon.tsx';
import { Quiet } from '../ui/layout.tsx';
import { useOnline, useStatus } from '../api/app-state.ts';
import { formatKeys } from './keyboard.ts';
import { useCanAskEmergency, useCurrentPerson, useIsAuditor } from './me.tsx';
import { AUDIT_RAIL, useNavigation, type ScreenName } from './navigation.tsx';
import { useSelection } from './selection.tsx';
import { toast } from './toasts.ts';
import { useFormatRole, useText } from '../i18n/text.tsx';
import { useWorkspaceState } from './workspace.tsx';
import styles from './sidebar.module.css';

const icons: Readonly<Record<(typeof AUDIT_RAIL)[number], LucideIcon>> = {
  accesses: ScrollText,
  reviews: Siren,
};

export function Sidebar() {
  const text = useText();
  const { clinicName } = useStatus();
  const isAuditor = useIsAuditor();
  const name = clinicName ?? text('app.name');
  return (
    <aside aria-label={name} className={`column ${styles['side'] ?? ''}`}>
      <p className={`line gap2 row13 bold ${styles['clinic'] ?? ''}`} title={name}>
        <Glyph />
        <span dir="auto" className={`cut narrow ${styles['cut'] ?? ''}`}>
          {name}
        </span>
      </p>
      <nav aria-label={text('rail.label')} className={`column ${styles['nav'] ?? ''}`}>
        {isAuditor ? (
          AUDIT_RAIL.map((screen) => (
            <ScreenEntry key={screen} name={screen} icon={icons[screen]} />
          ))
        ) : (
          <SearchEntry />
        )}
      </nav>
      {!isAuditor && <RecentPatients />}
      <SidebarFoot />
    </aside>
  );
}

function SearchEntry() {
  const text = useText();
  const { screen, go } = useNavigation();
  return (
    <Entry
      className={`medium fixed ${styles['entry'] ?? ''} ${styles['search'] ?? ''}`}
      current={screen === 'find' && 'page'}
      onPress={() => go('find')}
    >
      <Icon of={Search} />
      <span className={`grow ${styles['word'] ?? ''}`}>{text('screen.find')}</span>
      <KeyCap isSilent keys={formatKeys('search')} />
    </Entry>
  );
}

function ScreenEntry(props: { readonly name: ScreenName; readonly icon: LucideIcon }) {
  const { name, icon } = props;
  const text = useText();
  const { screen, go } = useNavigation();
  const title = text(`screen.${name}`);
  return (
    <Entry
      className={`medium fixed ${styles['entry'] ?? ''}`}
      current={screen === name && 'page'}
      onPress={() => go(name)}
    >
      <Icon of={icon} />
      <span className={styles['word']} data-title={title}>
        {title}
      </span>
    </Entry>
  );
}

/** Recent patients. They are hidden on the empty search, which lists them, and after a screen has failed. */
function RecentPatients() {
  const text = useText();
  const people = useWorkspaceState('recents');
  const isHome = useIsHome();
  const hasFailed = useWorkspaceState('hasScreenFailed');
  if (isHome || hasFailed || people.length === 0) return null;
  return (
    <nav aria-label={text('recents.title')} className={`column ${styles['recent'] ?? ''}`}>
      <p className={`row between quiet meta medium ${styles['recentHead'] ?? ''}`}>
        {text('recents.title')}
        <KeyCap isSilent keys={formatKeys('previousPatient')} />
      </p>
      <ul>
        {people.map((one, place) => (
          <li key={one.userId}>
            <RecentEntry one={one} place={place + 1} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

const StaffMenu = lazy(() => import('./staff-menu.tsx'));

function SidebarFoot() {
  const text = useText();
  const online = useOnline();
  return (
    <footer role="group" aria-label={text('status.label')} className={styles['foot']}>
      <p className={`line gap2 quiet meta ${styles['line'] ?? ''} ${online ? '' : 'bold noticed'}`}>
        <Icon of={online ? Wifi : WifiOff} />
        <span>{text(online ? 'status.online' : 'status.offline')}</span>
      </p>
      <p className={`line gap2 quiet meta ${styles['line'] ?? ''}`}>
        <Icon of={Eye} />
        <span>{text('status.audited')}</span>
      </p>
      <EmergencyEntry />
      <ScreenEntry name="settings" icon={Settings} />
      <Entry
        className={`medium ${styles['entry'] ?? ''} ${styles['lock'] ?? ''}`}
        onPress={() => void window.caregate.lock({})}
      >
        <Icon of={Lock} />
        <span className={`grow ${styles['word'] ?? ''}`}>{text('status.lock')}</span>
        <KeyCap isSilent keys={formatKeys('lock')} />
      </Entry>
      <CurrentUser />
    </footer>
  );
}

/** Opens the request for emergency access to the open patient. It is absent if the role may see everything. */
function EmergencyEntry() {
  const text = useText();
  const { person } = useSelection();
  const { go } = useNavigation();
  const { open, dialog } = useEmergencyDialog();
  if (!useCanAskEmergency()) return null;
  const findFirst = (): void => {
    toast.info('emergency.personFirst');
    go('find');
  };
  return (
    <>
      <Entry
        className={`medium ${styles['entry'] ?? ''}`}
        onPress={person === undefined ? findFirst : open}
      >
        <Icon of={Siren} />
        <span className={styles['word']}>{text('screen.reviews')}</span>
      </Entry>
      {dialog}
    </>
  );
}

function CurrentUser() {
  const formatRole = useFormatRole();
  const { name = '', role } = useCurrentPerson() ?? {};
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={`line gap1 ${styles['me'] ?? ''}`}>
      <AriaButton
        className={`line bare gap2 grow narrow row13 ${styles['who'] ?? ''}`}
        aria-haspopup="menu"
        onPress={() => setOpen(true)}
      >
        <Avatar name={name} />
        <span className={`stack narrow ${styles['names'] ?? ''}`}>
          <b dir="auto" className="wrap">
            {name}
          </b>
          {role !== undefined && <Quiet size="meta">{formatRole(role)}</Quiet>}
        </span>
      </AriaButton>
      {isOpen && (
        <Suspense>
          <StaffMenu onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
