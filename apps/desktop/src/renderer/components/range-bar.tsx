import type { ReactElement } from 'react';
import { rangeBarShape } from './range-bar-geometry.ts';
import type { ReferenceRange } from './reference-range.ts';
import styles from './range-bar.module.css';

/** Where a value lies in its range. Only a picture: the words beside it say the same. Numbers grow from left to right. */
export function RangeBar(props: {
  readonly value: number | undefined;
  readonly range: ReferenceRange;
}): ReactElement | null {
  const shape = rangeBarShape(props.value, props.range);
  if (shape === undefined) return null;
  const { from, to, openStart, openEnd, marker, broken } = shape;
  const at = broken === 'end' ? marker - 10 : marker + 10;
  return (
    <svg aria-hidden="true" viewBox="0 0 100 16" data-broken={broken} className={styles['bar']}>
      <line x1="0" y1="8" x2="100" y2="8" className={styles['axis']} />
      <rect x={from} y="4" width={to - from} height="8" className={styles['band']} />
      {!openStart && <line x1={from} y1="2" x2={from} y2="14" className={styles['bound']} />}
      {!openEnd && <line x1={to} y1="2" x2={to} y2="14" className={styles['bound']} />}
      {broken !== undefined && (
        <path d={`M${at - 3} 14l4 -12M${at} 14l4 -12`} className={styles['break']} />
      )}
      <path
        d={`M${marker} 2l4 6l-4 6l-4 -6z`}
        className={styles['marker']}
        data-outside={marker < from || marker > to}
      />
    </svg>
  );
}
