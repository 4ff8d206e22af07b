import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { useReopen } from '../../app/look-up.tsx';
import { hidden, useMask, useMasked } from '../../app/mask.tsx';
import { TABS, useNavigation } from '../../app/navigation.tsx';
import type { RecentPerson } from './recents.tsx';
import { useSelection } from '../../app/selection.tsx';
import { Code } from '../../ui/controls.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { dayText, timeText } from '../../ui/values/dates.tsx';
import styles from './recent-entry.module.css';

/** A recent person in the sidebar. */
export function RecentEntry(props: {
  readonly one: RecentPerson;
  readonly place: number;
}): ReactElement {
  const { one, place } = props;
  const intl = useIntl();
  const mask = useMask();
  const masked = useMasked();
  const { person } = useSelection();
  const { screen } = useNavigation();
  const reopen = useReopen();
  const { name, birthDate, clientUserId, at } = one;
  const isOpen = person?.value.user_id === one.userId;
  return (
    <Entry
      className={styles['entry']}
      // At most one entry of the sidebar is the current one.
      current={isOpen && TABS.some((tab) => tab === screen) && 'true'}
      onPress={() => {
        reopen.person(one);
      }}
    >
      {masked ? (
        <span className="medium">{`${hidden} ${String(place)}`}</span>
      ) : (
        // Not in a bdi, which tells the box that is cut nothing of its direction.
        <b dir="auto" className="cut medium" title={name}>
          {name ?? <Code>{clientUserId}</Code>}
        </b>
      )}
      <Quiet size="meta" className={`row between tight numbers ${styles['facts'] ?? ''}`}>
        <span>{birthDate !== undefined && mask(dayText(intl, birthDate))}</span>
        <span>{timeText(intl, at)}</span>
      </Quiet>
    </Entry>
  );
}
