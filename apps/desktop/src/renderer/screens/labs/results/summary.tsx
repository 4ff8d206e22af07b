import type { ReactElement } from 'react';
import { useText } from '../../../text/text.tsx';
import { Count } from './flag.tsx';
import { GROUPS } from './result-order.ts';
import type { Group } from './result-order.ts';
import styles from './results.module.css';

/** Counts that filter; empty groups are left out. */
export function Summary(props: {
  readonly counts: Readonly<Record<Group, number>>;
  readonly only: Group | undefined;
  readonly onOnly: (group: Group | undefined) => void;
}): ReactElement {
  const { counts, only, onOnly } = props;
  const text = useText();
  const all = GROUPS.reduce((sum, group) => sum + counts[group], 0);
  return (
    <div role="group" aria-label={text('labs.summary')} className={styles['filters']}>
      <button
        type="button"
        aria-pressed={only === undefined}
        onClick={() => {
          onOnly(undefined);
        }}
      >
        {text('labs.group.all', { count: all })}
      </button>
      {GROUPS.filter((group) => counts[group] > 0).map((group) => (
        <button
          key={group}
          type="button"
          aria-pressed={only === group}
          onClick={() => {
            onOnly(only === group ? undefined : group);
          }}
        >
          <Count group={group} count={counts[group]} />
        </button>
      ))}
    </div>
  );
}
