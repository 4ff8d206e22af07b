import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import type { Person } from '../../../bridge/people.ts';
import { Avatar } from '../../components/icon.tsx';
import { useRoleText, useText } from '../../text/text.tsx';
import styles from './gate.module.css';

/** Everybody with a session at this desk, each by name and role. */
export function StaffCards(props: {
  readonly people: readonly Person[];
  readonly picked: string | undefined;
  readonly onPick: (staffId: string) => void;
}): ReactElement {
  const { people, picked, onPick } = props;
  const text = useText();
  const roleText = useRoleText();
  return (
    <ul className={styles['cards']} aria-label={text('lock.people')}>
      {people.map(({ staffId, name, role }, place) => (
        <li key={staffId}>
          <Button
            className={styles['staff'] ?? ''}
            aria-pressed={staffId === picked}
            onPress={() => {
              onPick(staffId);
            }}
          >
            {place < 9 && <kbd aria-hidden="true">{place + 1}</kbd>}
            <Avatar big name={name} />
            <b>{name}</b>
            <span className={styles['quiet']}>{roleText(role)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
