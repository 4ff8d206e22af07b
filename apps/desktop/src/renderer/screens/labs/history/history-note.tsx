import type { ReactElement } from 'react';
import type { OrderHistory } from '@caregate/domain';
import { Button } from '../../../components/controls.tsx';
import type { Read } from '../../../state/read.ts';
import { useText } from '../../../text/text.tsx';
import styles from './history.module.css';

/** Under a report: why there are no earlier values, or how many reports they leave out. */
export function HistoryNote({ history }: { history: Read<OrderHistory> }): ReactElement | null {
  const { data, problem, isFetching, refetch } = history;
  const text = useText();
  if (problem === undefined) {
    const count = data?.value.left_out ?? 0;
    const said = text('history.leftOut', { count });
    return count === 0 ? null : <p className={styles['note']}>{said}</p>;
  }
  const isOffered = problem.kind !== 'notOffered' && problem.kind !== 'notFound';
  const isForbidden = problem.kind === 'forbidden';
  return (
    <p role="status" className={styles['note']}>
      {text(`history.${!isOffered ? 'notOffered' : isForbidden ? 'forbidden' : 'failed'}`)}{' '}
      {isOffered && !isForbidden && (
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('state.retry')}
        </Button>
      )}
    </p>
  );
}
