import type { ReactElement } from 'react';
import { useText } from '../../../text/text.tsx';
import { ALWAYS_SHOWN, GROUPS } from './result-order.ts';
import type { Group } from './result-order.ts';
import styles from '../labs.module.css';

/** How many of each kind, in one line; each shows only its own when pressed, and all when pressed again. */
export function Summary(props: {
  readonly counts: Readonly<Record<Group, number>>;
  readonly only: Group | undefined;
  readonly onOnly: (group: Group | undefined) => void;
}): ReactElement {
  const { counts, only, onOnly } = props;
  const text = useText();
  const shown = GROUPS.filter((group) => counts[group] > 0 || ALWAYS_SHOWN.has(group));
  return (
    <div role="group" aria-label={text('labs.summary')} className={styles['summary']}>
      {shown.map((group) => (
        <button
          key={group}
          type="button"
          className={styles['filter']}
          aria-pressed={only === group}
          disabled={counts[group] === 0}
          onClick={() => {
            onOnly(only === group ? undefined : group);
          }}
        >
          {text(`labs.group.${group}`, { count: counts[group] })}
        </button>
      ))}
    </div>
  );
}
