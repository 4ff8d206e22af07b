import type { ReactElement } from 'react';
import { KeyCap } from '../components/controls.tsx';
import { Entry } from '../components/entry.tsx';
import { RecentEntry } from '../components/day/recent-entry.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useIsMorning } from '../state/people/morning.ts';
import { useRecents } from '../state/recents.tsx';
import { useText } from '../text/text.tsx';
import styles from './recent.module.css';

/** Not while Find has them beside the day's list. */
export function Recent(): ReactElement | null {
  const text = useText();
  const { people, orders } = useRecents();
  const { screen, go } = useNavigation();
  const isMorning = useIsMorning();
  if (isMorning || people.length + orders.length === 0) return null;
  return (
    <nav aria-label={text('recents.short')} className={`column ${styles['recent'] ?? ''}`}>
      <Entry
        className={`quiet meta medium ${styles['head'] ?? ''}`}
        current={screen === 'recents' && 'page'}
        onPress={() => {
          go('recents');
        }}
      >
        <span>{text('recents.short')}</span>
        <KeyCap isSilent keys="Ctrl Tab" />
      </Entry>
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
