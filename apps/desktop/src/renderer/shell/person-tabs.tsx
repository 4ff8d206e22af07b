import { FlaskConical, IdCard, Info, Leaf, LockKeyhole, UserRound } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Icon } from '../components/icon.tsx';
import { Unseen } from '../components/layout.tsx';
import { useMay } from '../state/me.tsx';
import { TABS, useNavigation } from '../state/navigation.tsx';
import { useText } from '../text/text.tsx';
import styles from './person-header.module.css';

type Tab = (typeof TABS)[number];

const icons: Readonly<Record<Tab, LucideIcon>> = {
  person: UserRound,
  labs: FlaskConical,
  insurance: IdCard,
  activity: Leaf,
  details: Info,
};

/** A screen that the role may not open stays, with a lock. */
export function PersonTabs(): ReactElement {
  const text = useText();
  return (
    <nav aria-label={text('patient.tabs')} className={styles['tabs']}>
      {TABS.map((name, place) => (
        <PersonTab key={name} name={name} place={place} />
      ))}
    </nav>
  );
}

function PersonTab({ name, place }: { name: Tab; place: number }): ReactElement {
  const text = useText();
  const { screen, go } = useNavigation();
  const may = useMay(name);
  const keys = `Ctrl+${String(place + 1)}`;
  return (
    <Button
      className={`inset line quiet row13 medium ${styles['tab'] ?? ''}`}
      {...(screen === name && { 'aria-current': 'page' as const })}
      onPress={() => {
        go(name);
      }}
    >
      <Icon of={icons[name]} />
      <span title={keys}>{text(`screen.${name}`)}</span>
      {(may === 'no' || may === 'emergency') && (
        <>
          <Icon of={LockKeyhole} />
          <Unseen>{text('rail.shut')}</Unseen>
        </>
      )}
    </Button>
  );
}
