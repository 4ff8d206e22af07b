import type { ReactElement } from 'react';
import type { FlagName, Reading } from './result-reading.ts';
import { useText } from '../../../text/text.tsx';
import styles from './flag.module.css';

type Flagged = Pick<Reading, 'flag' | 'direction' | 'conflicts' | 'unrecognised'>;

/** What a result says: shape (drawn by the style, unseen by screen readers) and word, and colour only besides. */
export function Flag({ reading }: { reading: Flagged }): ReactElement {
  const { flag, direction, conflicts, unrecognised } = reading;
  const text = useText();
  const also = direction !== undefined && direction !== flag ? direction : undefined;
  return (
    <span className={styles['flag']} data-flag={flag}>
      <span>
        {flag === 'unrecognised' ? <Unrecognised words={unrecognised} /> : <Word flag={flag} />}
        {also !== undefined && (
          <>
            {' '}
            <span className={styles['also']} data-flag={also}>
              {text(`flag.${also}`)}
            </span>
          </>
        )}
        {conflicts.length > 0 && flag !== 'conflict' && (
          <span className={styles['more']}>{text('flag.conflict')}</span>
        )}
      </span>
    </span>
  );
}

function Word({ flag }: { flag: FlagName }): ReactElement {
  const text = useText();
  const said = text(`flag.${flag}`);
  // Whose word it is: no threshold here is ours.
  return flag === 'critical' ? (
    <span title={text('flag.criticalSays')}>
      {said}
      <span className={styles['unseen']}>{text('flag.criticalSays')}</span>
    </span>
  ) : (
    <span>{said}</span>
  );
}

/** In quotation marks, as they came; heard with what is the matter with them. */
function Unrecognised({ words }: { words: readonly string[] }): ReactElement {
  const text = useText();
  return (
    <>
      <span className={styles['unseen']}>{text('flag.unrecognised')}</span>
      {words.map((value) => (
        <bdi key={value} className={styles['quoted']}>
          {text('value.quoted', { value })}
        </bdi>
      ))}
    </>
  );
}
