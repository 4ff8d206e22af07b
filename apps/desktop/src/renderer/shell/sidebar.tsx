import {
  Activity,
  Eye,
  FlaskConical,
  History,
  IdCard,
  Info,
  LockKeyhole,
  Search,
  Settings,
  Siren,
  ScrollText,
  BellRing,
  User,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Glyph, Icon } from '../components/icon.tsx';
import { SCREENS } from '../screens/screens.ts';
import { useStatus } from '../state/app-state.ts';
import { useIsAuditor, useMay } from '../state/me.tsx';
import { AUDIT_RAIL, RAIL, useNavigation } from '../state/navigation.tsx';
import type { ScreenName } from '../state/navigation.tsx';
import { usePerson } from '../state/selection.tsx';
import { useText } from '../text/text.tsx';
import { SidebarFoot } from './sidebar-foot.tsx';
import styles from './sidebar.module.css';

const icons: Readonly<Record<ScreenName, LucideIcon>> = {
  find: Search,
  labs: FlaskConical,
  activity: Activity,
  insurance: IdCard,
  recents: History,
  person: User,
  settings: Settings,
  about: Info,
  accesses: Eye,
  reviews: Siren,
  alarms: BellRing,
  log: ScrollText,
};

/** The clinic, the screens of whoever is at the desk, and who that is. */
export function Sidebar(): ReactElement {
  const text = useText();
  const { clinicName } = useStatus();
  const isAuditor = useIsAuditor();
  const name = clinicName ?? text('app.name');
  return (
    <aside aria-label={name} className={styles['side']}>
      <p className={styles['clinic']} title={name}>
        <Glyph />
        <span className={styles['cut']}>{name}</span>
      </p>
      <nav aria-label={text('rail.label')} className={styles['nav']}>
        {(isAuditor ? AUDIT_RAIL : RAIL).map((screen) => (
          <Entry key={screen} name={screen} />
        ))}
        <span className={styles['gap']} />
        <Entry name="settings" />
        <Entry name="about" />
      </nav>
      <SidebarFoot />
    </aside>
  );
}

function Entry({ name }: { name: ScreenName }): ReactElement | null {
  const text = useText();
  const { screen, go } = useNavigation();
  const { person } = usePerson();
  const may = useMay(name);
  const { title, needsPerson } = SCREENS[name];
  const isShut = may === 'no' || may === 'emergency';
  return (
    <Button
      className={styles['entry'] ?? ''}
      isDisabled={needsPerson && person === undefined}
      {...(screen === name && { 'aria-current': 'page' as const })}
      onPress={() => {
        go(name);
      }}
    >
      <Icon of={icons[name]} />
      <span className={styles['word']} data-title={text(title)}>
        {text(title)}
      </span>
      {isShut && (
        <span className={styles['shut']}>
          <Icon of={LockKeyhole} />
          <span className={styles['unseen']}>{text('rail.shut')}</span>
        </span>
      )}
    </Button>
  );
}
