import { useMemo } from 'react';
import type { LabOrderResult, Order } from '@caregate/domain';
import type { Read } from '../../api/read.ts';
import { useMask } from '../../app/mask.tsx';
import { Refresh } from '../../app/refresh.tsx';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { findCorrection, useHistory } from './history/corrections.ts';
import { checkIdentity } from './identity/identity-check.ts';
import { useIdentityGate, useIdentitySources } from './identity/identity-gate.ts';
import { LabPrint } from './lab-print.tsx';
import { LabReport, type LabReportProps } from './lab-report.tsx';
import { isSameId } from './order-facts.ts';
import { AwaitedOrder } from './orders/awaited-order.tsx';
import { useLabResult } from './use-orders.ts';
import styles from './labs.module.css';

export function LabOrder(props: {
  readonly orderId: string;
  readonly orders: readonly Order[];
  readonly toolbar: HTMLElement | null;
}) {
  const { orderId, orders, toolbar } = props;
  const { person } = useSelection();
  const personId = person?.value.user_id;
  const read = useLabResult(personId, orderId);
  const { birthDates, insurance, isPending } = useIdentitySources(person);
  // The report is shown only after the birth dates for the identity check are loaded.
  const data = isPending ? undefined : read.data;
  const isAnswered = data !== undefined && read.problem === undefined;
  const result = data?.value;
  const gate = useIdentityGate(
    checkIdentity({ result: result ?? { metadata: {} }, birthDates, insurance }),
  );
  // The history of another patient's report would include that patient's values.
  const history = useHistory({ orderId, personId, enabled: isAnswered && !gate.isBlocked });
  const earlier = history?.problem === undefined ? history?.data : undefined;
  const correction = useMemo(
    () => findCorrection(result, earlier?.value, birthDates),
    [result, earlier, birthDates],
  );
  return (
    <>
      <LabAnswer
        orderId={orderId}
        read={{ ...read, data, isFetching: read.isFetching || isPending }}
        order={orders.find(({ id }) => isSameId(id, orderId))}
        gate={gate}
        correction={correction}
        history={history}
        toolbar={toolbar}
      />
      {data !== undefined && (
        <LabPrint
          orderId={orderId}
          received={data}
          person={person}
          birthDates={birthDates}
          insurance={insurance}
          gate={gate}
          correction={correction}
          history={earlier}
        />
      )}
    </>
  );
}

export function LabAnswer(
  props: Omit<LabReportProps, 'result' | 'ordered'> & {
    readonly read: Read<LabOrderResult>;
    readonly order: Order | undefined;
  },
) {
  const { read, order, ...rest } = props;
  const { data, problem, isFetching, refetch, cancel } = read;
  const text = useText();
  const mask = useMask();
  const isAwaited = problem?.missing === 'result';
  const kind = problem?.kind;
  return (
    <>
      {isFetching && data === undefined && !isAwaited && (
        <div className={styles['state']}>
          <Loading what="labs.title" onCancel={cancel} />
        </div>
      )}
      {!isFetching && problem !== undefined && !isAwaited && (
        <Stack className={styles['state']}>
          <ProblemNote
            problem={problem}
            onRetry={refetch}
            {...((kind === 'notFound' || kind === 'invalid') && {
              sentence: text(`labs.${kind}`, { id: mask(rest.orderId) }),
            })}
          />
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
        <>
          <Refresh oldest={data.receivedAt} isFetching={isFetching} onRefresh={refetch} />
          <LabReport {...rest} result={data.value} ordered={order?.created_at} />
        </>
      )}
    </>
  );
}
