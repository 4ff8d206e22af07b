import { useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Code, KeyCap } from '../components/controls.tsx';
import { dayText, timeText } from '../components/dates.tsx';
import { Entry } from '../components/entry.tsx';
import { useReopen } from '../state/look-up.tsx';
import { useSettings } from '../state/app-state.ts';
import { hidden, useMasked } from '../state/mask.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useRecents } from '../state/recents.tsx';
import type { RecentPerson } from '../state/recents.tsx';
import { usePerson } from '../state/selection.tsx';
import { useText } from '../text/text.tsx';
import styles from './recent.module.css';

export function Recent(): ReactElement | null {
  const text = useText();
  const { people, orders } = useRecents();
  const { screen, go } = useNavigation();
  if (people.length + orders.length === 0) return null;
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

function RecentEntry({ one, place }: { one: RecentPerson; place: number }): ReactElement {
  const intl = useIntl();
  const masked = useMasked();
  const { person } = usePerson();
  const reopen = useReopen();
  const { hideRecentNames } = useSettings();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHidden = masked || (hideRecentNames && !isHovered && !isFocused);
  const { name, birthDate, clientUserId, at } = one;
  const who = name === undefined ? <Code>{clientUserId}</Code> : <bdi>{name}</bdi>;
  return (
    <Entry
      className={styles['entry']}
      current={person?.value.user_id === one.userId && 'true'}
      onHoverChange={setHovered}
      onFocusChange={setFocused}
      onPress={() => {
        reopen.person(one);
      }}
    >
      <span className="cut medium" {...(!isHidden && { title: name ?? clientUserId })}>
        {isHidden ? `${hidden} ${String(place)}` : who}
      </span>
      <span className={`quiet meta numbers ${styles['facts'] ?? ''}`}>
        <bdi>
          {birthDate === undefined || isHidden ? '' : (dayText(intl, birthDate) ?? birthDate)}
        </bdi>
        <bdi>{timeText(intl, at)}</bdi>
      </span>
    </Entry>
  );
}
