import { memo } from 'react';
import type { ReactElement } from 'react';
import type { BiomarkerResult, EarlierResult } from '@caregate/domain';
import { useIntl } from 'react-intl';
import { dayText } from '../../../components/dates.tsx';
import { useText } from '../../../text/text.tsx';
import styles from './history.module.css';

export const Previous = memo(function Previous(props: {
  readonly result: BiomarkerResult;
  readonly earlier: readonly EarlierResult[];
  /** The column's date, which a row doesn't repeat visibly. */
  readonly common: string | undefined;
}): ReactElement | null {
  const { result, earlier, common } = props;
  const text = useText();
  const intl = useIntl();
  const [last] = earlier;
  if (last === undefined) {
    return result.type === 'comment' ? null : (
      <span className={styles['quiet']}>{text('history.first')}</span>
    );
  }
  const day = dayText(intl, last.date) ?? last.date;
  return (
    <span>
      <bdi dir="ltr" className={styles['value']}>
        {last.measured.result}
      </bdi>{' '}
      <time
        dateTime={last.date}
        className={last.date === common ? styles['unseen'] : styles['quiet']}
      >
        {day}
      </time>
    </span>
  );
});
