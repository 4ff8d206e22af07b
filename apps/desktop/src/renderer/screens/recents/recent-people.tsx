import type { ReactElement } from 'react';
import { Button, Code } from '../../components/controls.tsx';
import { hidden } from '../../components/mask.ts';
import { useDesk } from '../../shell/desk.tsx';
import { useLookUp } from '../../shell/look-up.tsx';
import { useText } from '../../text/text.tsx';
import styles from './recents.module.css';

/** More would push the list out of sight; the Recents screen has them all. */
const most = 5;

/** The people opened last, but for the one that is open. */
export function RecentPeople(): ReactElement | null {
  const text = useText();
  const { recents, person, masked } = useDesk();
  const { lookUp } = useLookUp();
  const shown = recents.filter(({ userId }) => userId !== person?.value.user_id).slice(0, most);
  if (shown.length === 0) return null;
  return (
    <div role="group" aria-label={text('recents.before')} className={styles['row']}>
      <span aria-hidden="true">{text('recents.before')}</span>
      {shown.map(({ userId, clientUserId }, place) => (
        <Button
          key={userId}
          onPress={() => {
            lookUp(clientUserId);
          }}
        >
          <Code>{masked ? `${hidden} ${String(place + 1)}` : clientUserId}</Code>
        </Button>
      ))}
    </div>
  );
}
