import type { ReactElement } from 'react';
import type { FlagName, Reading } from './result-reading.ts';
import { useText } from '../../../text/text.tsx';
import styles from './flag.module.css';

type Flagged = Pick<
  Reading,
  'flag' | 'direction' | 'conflicts' | 'unrecognised' | 'reportedNormal'
>;

/** What a result says: icon (drawn by the style, unseen by screen readers), word and letter, and colour only besides. */
export function Flag({ reading }: { reading: Flagged }): ReactElement {
  const { flag, direction, conflicts, unrecognised, reportedNormal } = reading;
  const text = useText();
  const also = direction !== undefined && direction !== flag ? direction : undefined;
  return (
    <span className={styles['flag']} data-flag={flag}>
      <span>
        <strong>{text(`flag.${flag}`)}</strong> <Letter flag={flag} />
        {also !== undefined && (
          <>
            {' '}
            <strong>{text(`flag.${also}`)}</strong> <Letter flag={also} />
          </>
        )}
        {conflicts.length > 0 && flag !== 'conflict' && (
          <span className={styles['more']}>{text('flag.conflict')}</span>
        )}
        {unrecognised.map((value) => (
          <bdi key={value} className={styles['more']}>
            {text('value.quoted', { value })}
          </bdi>
        ))}
        {reportedNormal && <span className={styles['more']}>{text('flag.reportedNormal')}</span>}
      </span>
    </span>
  );
}

function Letter({ flag }: { flag: FlagName }): ReactElement {
  const text = useText();
  return <span className={styles['letter']}>{text(`flag.letter.${flag}`)}</span>;
}
