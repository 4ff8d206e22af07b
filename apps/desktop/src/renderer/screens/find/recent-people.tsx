import type { ReactElement } from 'react';
import { Button, Code } from '../../components/controls.tsx';
import { useLookUp } from '../../state/look-up.tsx';
import { hidden, useMasked } from '../../state/mask.tsx';
import { useRecents } from '../../state/recents.tsx';
import { usePerson } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import styles from './find.module.css';

/** More would push the list out of sight; the Recents screen has them all. */
const maxShown = 5;

/** The people opened last, but for the one that is open. */
export function RecentPeople(): ReactElement | null {
  const text = useText();
  const { people } = useRecents();
  const { person } = usePerson();
  const masked = useMasked();
  const { lookUp } = useLookUp();
  const shown = people.filter(({ userId }) => userId !== person?.value.user_id).slice(0, maxShown);
  if (shown.length === 0) return null;
  return (
    <div role="group" aria-label={text('recents.before')} className={styles['recents']}>
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
