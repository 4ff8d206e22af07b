import type { ReactElement, ReactNode } from 'react';
import type { LabOrderResult, Order } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { Button } from '../../components/controls.tsx';
import { useAsOf } from '../../components/dates.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { useMask } from '../../state/mask.tsx';
import { problemOf } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { LabReport } from './lab-report.tsx';
import type { LabReportProps } from './lab-report.tsx';
import { AwaitedOrder } from './orders/awaited-order.tsx';
import styles from './labs.module.css';

export interface LabAnswerProps extends Omit<LabReportProps, 'result' | 'actions' | 'stamp'> {
  readonly received: Received<LabOrderResult> | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
  /** The order as the person's list has it. */
  readonly order: Order | undefined;
  /** All orders of the person are listed, and this is none of them. */
  readonly isStrange: boolean;
  /** What can be done with a result that is shown. */
  readonly children?: ReactNode;
}

/** An order's result in each of its states: waiting, refused, awaited, held from before, there. */
export function LabAnswer(props: LabAnswerProps): ReactElement {
  const { received, error, isFetching, onRetry, onCancel, order, isStrange, children, ...rest } =
    props;
  const text = useText();
  const asOf = useAsOf();
  const mask = useMask();
  const problem = error === null ? undefined : problemOf(error);
  // Who may no longer see it doesn't see it, held or not; an order that is gone isn't shown either.
  const mayShow = problem === undefined || !['forbidden', 'notFound'].includes(problem.kind);
  const shown = mayShow ? received : undefined;
  const isAwaited = problem?.missing === 'result';
  const waits = isFetching && shown === undefined && !isAwaited;
  const stopped = !isFetching && received === undefined && problem === undefined;
  const isTold = !isFetching && !isAwaited && (problem !== undefined || stopped);
  return (
    <>
      {(waits || isTold) && (
        <div className={styles['state']}>
          {waits && <Loading onCancel={onCancel} />}
          {isTold && (
            <ProblemNote
              problem={problem ?? { kind: 'cancelled' }}
              onRetry={onRetry}
              {...sentenceOf(problem?.kind, mask(rest.orderId), text)}
            />
          )}
        </div>
      )}
      {isAwaited && (
        <AwaitedOrder
          orderId={rest.orderId}
          status={problem.orderStatus}
          order={order}
          isStrange={isStrange}
          isFetching={isFetching}
          onCheck={onRetry}
        />
      )}
      {shown !== undefined && (
        <LabReport
          {...rest}
          result={shown.value}
          actions={children}
          stamp={
            <span>
              {asOf(shown.receivedAt)}{' '}
              <Button kind="quiet" isDisabled={isFetching} onPress={onRetry}>
                {text('labs.refresh')}
              </Button>
            </span>
          }
        />
      )}
    </>
  );
}

function sentenceOf(
  kind: string | undefined,
  id: string,
  text: ReturnType<typeof useText>,
): { sentence?: string } {
  if (kind === 'notFound') return { sentence: text('labs.notFound', { id }) };
  return kind === 'invalid' ? { sentence: text('labs.invalid', { id }) } : {};
}
