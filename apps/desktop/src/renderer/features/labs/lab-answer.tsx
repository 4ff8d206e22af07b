import type { ReactElement, ReactNode } from 'react';
import type { LabOrderResult, Order } from '@caregate/domain';
import { Stack } from '../../ui/layout.tsx';
import { Button } from '../../ui/controls.tsx';
import { useAsOf } from '../../ui/values/dates.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useMask } from '../../app/mask.tsx';
import type { Read } from '../../api/read.ts';
import { useText } from '../../i18n/text.tsx';
import { LabReport } from './lab-report.tsx';
import type { LabReportProps } from './lab-report.tsx';
import { AwaitedOrder } from './orders/awaited-order.tsx';
import styles from './labs.module.css';

export interface LabAnswerProps extends Omit<
  LabReportProps,
  'result' | 'ordered' | 'actions' | 'stamp'
> {
  readonly read: Read<LabOrderResult>;
  readonly order: Order | undefined;
  readonly children?: ReactNode;
}

export function LabAnswer(props: LabAnswerProps): ReactElement {
  const { read, order, children, ...rest } = props;
  const { data, problem, isFetching, refetch, cancel } = read;
  const text = useText();
  const asOf = useAsOf();
  const mask = useMask();
  const isAwaited = problem?.missing === 'result';
  const isLoading = isFetching && data === undefined && !isAwaited;
  const isFailed = !isFetching && problem !== undefined && !isAwaited;
  const kind =
    problem?.kind === 'notFound' || problem?.kind === 'invalid' ? problem.kind : undefined;
  return (
    <>
      {(isLoading || isFailed) && (
        <Stack gap="gap3" className={styles['state']}>
          {isLoading && <Loading what="labs.title" onCancel={cancel} />}
          {isFailed && (
            <ProblemNote
              problem={problem}
              onRetry={refetch}
              {...(kind !== undefined && {
                sentence: text(`labs.${kind}`, { id: mask(rest.orderId) }),
              })}
            />
          )}
        </Stack>
      )}
      {isAwaited && (
        <AwaitedOrder
          orderId={rest.orderId}
          status={problem.orderStatus}
          order={order}
          isFetching={isFetching}
          onCheck={refetch}
        />
      )}
      {data !== undefined && (
        <LabReport
          {...rest}
          result={data.value}
          ordered={order?.created_at}
          actions={children}
          stamp={
            <span>
              {asOf(data.receivedAt)}{' '}
              <Button kind="quiet" isDisabled={isFetching} onPress={refetch}>
                {text('labs.refresh')}
              </Button>
            </span>
          }
        />
      )}
    </>
  );
}
