import type { ReactElement } from 'react';
import type { ReferenceRange } from './reference-range.ts';
import { useText } from '../../../text/text.tsx';
import styles from './range-bar.module.css';

/** A range in words. Numbers stay as the laboratory wrote them, in every language. */
export function RangeWords({ range }: { range: ReferenceRange }): ReactElement {
  const text = useText();
  switch (range.kind) {
    case 'none':
      return <span className={styles['quiet']}>{text('range.none')}</span>;
    case 'from':
      return (
        <span className={styles['quiet']}>{text('range.from', { min: String(range.min) })}</span>
      );
    case 'upTo':
      return (
        <span className={styles['quiet']}>{text('range.upTo', { max: String(range.max) })}</span>
      );
    case 'between':
      return (
        <bdi dir="ltr" className={styles['quiet']}>
          {String(range.min)} – {String(range.max)}
        </bdi>
      );
    case 'broken':
      return (
        <span className={styles['quiet']}>
          {text('range.broken', { min: String(range.min), max: String(range.max) })}
        </span>
      );
  }
}
