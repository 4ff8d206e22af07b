import type { ReactElement } from 'react';
import type { OrderHistory } from '@caregate/domain';
import { Button } from '../../../components/controls.tsx';
import { Quiet } from '../../../components/layout.tsx';
import type { Read } from '../../../state/read.ts';
import { useText } from '../../../text/text.tsx';

/** Under a report: why there are no earlier values, or how many reports they leave out. */
export function HistoryNote({ history }: { history: Read<OrderHistory> }): ReactElement | null {
  const { data, problem, isFetching, refetch } = history;
  const text = useText();
  if (problem === undefined) {
    const count = data?.value.left_out ?? 0;
    const said = text('history.leftOut', { count });
    return count === 0 ? null : (
      <Quiet as="p" size="row13">
        {said}
      </Quiet>
    );
  }
  const isOffered = problem.kind !== 'notOffered' && problem.kind !== 'notFound';
  const isForbidden = problem.kind === 'forbidden';
  return (
    <Quiet as="p" size="row13" role="status">
      {text(`history.${!isOffered ? 'notOffered' : isForbidden ? 'forbidden' : 'failed'}`)}{' '}
      {isOffered && !isForbidden && (
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('state.retry')}
        </Button>
      )}
    </Quiet>
  );
}
