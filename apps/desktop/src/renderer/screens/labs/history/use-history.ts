import type { OrderHistory } from '@caregate/domain';
import { useRead } from '../../../state/read.ts';
import type { Read } from '../../../state/read.ts';
import { callService, ServiceProblem } from '../../../state/service-call.ts';

export function historyKey(personId: string | undefined, orderId: string): readonly unknown[] {
  return ['orderHistory', personId, orderId];
}

/** What came before a report, requested once `enabled`; the report doesn't wait for it. */
export function useHistory(props: {
  readonly orderId: string;
  readonly personId: string | undefined;
  readonly enabled: boolean;
}): Read<OrderHistory> | undefined {
  const { orderId, personId, enabled } = props;
  const read = useRead(
    historyKey(personId, orderId),
    async ({ signal }) => {
      const received = await callService('orderHistory', { orderId }, signal);
      if (received.value.order_id.toLowerCase() === orderId.toLowerCase()) return received;
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'orderHistory' });
    },
    { enabled },
  );
  return enabled ? read : undefined;
}
