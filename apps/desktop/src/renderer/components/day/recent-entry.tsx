import { useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { useSettings } from '../../state/app-state.ts';
import { useReopen } from '../../state/look-up.tsx';
import { hidden, useMasked } from '../../state/mask.tsx';
import { TABS, useNavigation } from '../../state/navigation.tsx';
import type { RecentPerson } from '../../state/recents.tsx';
import { useSelection } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { Code } from '../controls.tsx';
import { dayText, timeText } from '../values/dates.tsx';
import { Entry } from '../entry.tsx';
import { Quiet, Unseen } from '../layout.tsx';
import styles from './recent-entry.module.css';

/** Shows the client id; the name only under pointer or focus, unless a setting shows it. */
export function RecentEntry(props: {
  readonly one: RecentPerson;
  readonly place: number;
  readonly isWide?: boolean;
}): ReactElement {
  const { one, place, isWide = false } = props;
  const intl = useIntl();
  const text = useText();
  const masked = useMasked();
  const { person } = useSelection();
  const { screen } = useNavigation();
  const reopen = useReopen();
  const { hideRecentNames } = useSettings();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const { name, birthDate, clientUserId, at } = one;
  const isOpen = person?.value.user_id === one.userId;
  const isShown =
    !masked && name !== undefined && (!hideRecentNames || isOpen || isHovered || isFocused);
  const born = birthDate === undefined ? '' : dayText(intl, birthDate);
  const time = <Quiet className="numbers">{timeText(intl, at)}</Quiet>;
  const id = masked ? `${hidden} ${String(place)}` : <Code>{clientUserId}</Code>;
  return (
    <Entry
      className={isWide ? styles['wide'] : styles['entry']}
      // At most one entry of the sidebar is the current one.
      current={isOpen && TABS.some((one) => one === screen) && 'true'}
      onHoverChange={setHovered}
      onFocusChange={setFocused}
      onPress={() => {
        reopen.person(one);
      }}
    >
      {isWide && time}
      {isShown ? (
        <span className="line gap1 narrow grow" title={[name, born].join(' ')}>
          {/* Not in a bdi, which tells the box that is cut nothing of its direction. */}
          <b dir="auto" className="cut narrow medium">
            {name}
          </b>
          {isWide && <Quiet className={`fixed ${styles['born'] ?? ''}`}>{born}</Quiet>}
        </span>
      ) : (
        isWide && (
          <span className="grow narrow">
            <span aria-hidden="true" className={styles['bar']} />
            <Unseen>{text('recents.hidden')}</Unseen>
          </span>
        )
      )}
      {(isWide || !isShown) && <span className={`medium ${isWide ? 'fixed' : 'cut'}`}>{id}</span>}
      {!isWide && time}
    </Entry>
  );
}
