import type { ReactElement } from 'react';
import type { FlagName, Reading } from '../screens/labs/result-reading.ts';
import { useText } from '../text/text.tsx';
import styles from './flag.module.css';

const icons: Readonly<Record<FlagName, string>> = {
  high: 'M8 2 14 13H2Z',
  low: 'M8 14 2 3h12Z',
  critical: 'M8 1 15 8 8 15 1 8Z',
  conflict: 'M2 5h12v2H2zM2 9h12v2H2zM10 1h2L6 15H4z',
  unrecognised: 'M4 5a4 4 0 1 1 5 4v2H7V8a2 2 0 1 0-1-3zM7 12h2v2H7z',
  abnormal: 'M7 1h2v9H7zM7 12h2v2H7z',
  notJudged: 'M2 7h12v2H2z',
  normal: 'M2 8l2-2 3 3 6-6 2 2-8 8z',
};

type Flagged = Pick<Reading, 'flag' | 'direction' | 'conflicts' | 'unrecognised'>;

/** What a result says: icon, word and letter, and colour only besides. */
export function Flag({ reading }: { reading: Flagged }): ReactElement {
  const { flag, direction, conflicts, unrecognised } = reading;
  const text = useText();
  const also = direction !== undefined && direction !== flag ? direction : undefined;
  return (
    <span className={styles['flag']} data-flag={flag}>
      <svg aria-hidden="true" viewBox="0 0 16 16" className={styles['icon']}>
        <path d={icons[flag]} />
      </svg>
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
      </span>
    </span>
  );
}

function Letter({ flag }: { flag: FlagName }): ReactElement {
  const text = useText();
  return <span className={styles['letter']}>{text(`flag.letter.${flag}`)}</span>;
}
