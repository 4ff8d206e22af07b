import type { ReactElement } from 'react';
import { useText } from '../../../text/text.tsx';
import type { Group } from './result-order.ts';
import styles from './flag.module.css';

/** The shape of a group's flag before a text; none for what is quiet on purpose. */
const shapes: Readonly<Partial<Record<Group, string>>> = {
  critical: 'critical',
  conflict: 'conflict',
  outside: 'high',
  unrecognised: 'unrecognised',
  abnormal: 'abnormal',
  missing: 'missing',
};

/** How many results of a kind a report has, with the shape and colour of their flag; without a number where it isn't known. */
export function Count(props: { readonly group: Group; readonly count?: number }): ReactElement {
  const { group, count } = props;
  const text = useText();
  return (
    <span className={styles['count']} data-shape={shapes[group]}>
      {count === undefined ? text('flag.missing') : text(`labs.group.${group}`, { count })}
    </span>
  );
}
