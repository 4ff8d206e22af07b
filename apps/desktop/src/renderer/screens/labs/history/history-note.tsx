import type { ReactElement } from 'react';
import { Button } from '../../../components/controls.tsx';
import { useText } from '../../../text/text.tsx';
import type { History } from './use-history.ts';
import styles from './history.module.css';

/** Under a report: why earlier values are not there, or which reports they are not from. */
export function HistoryNote({ history }: { history: History }): ReactElement | null {
  const { value, problem, isFetching, retry } = history;
  const text = useText();
  if (problem !== undefined) {
    const isOffered = problem.kind !== 'notOffered' && problem.kind !== 'notFound';
    const mayRetry = isOffered && problem.kind !== 'forbidden';
    return (
      <p role="status" className={styles['note']}>
        {text(noteOf(problem.kind, isOffered))}{' '}
        {mayRetry && (
          <Button isDisabled={isFetching} onPress={retry}>
            {text('state.retry')}
          </Button>
        )}
      </p>
    );
  }
  if (value === undefined || value.left_out === 0) return null;
  return <p className={styles['note']}>{text('history.leftOut', { count: value.left_out })}</p>;
}

function noteOf(kind: string, isOffered: boolean) {
  if (!isOffered) return 'history.notOffered';
  return kind === 'forbidden' ? 'history.forbidden' : 'history.failed';
}
