import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OrderHistory } from '@caregate/domain';
import type { Problem } from '../../../../bridge/problem.ts';
import { callService, problemOf, ServiceProblem } from '../../../state/service-call.ts';

/** What came before a report, as far as it is known yet. */
export interface History {
  readonly value: OrderHistory | undefined;
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/** Asks for what came before a report, once it may be; whatever becomes of it, the report stays. */
export function useHistory(props: {
  readonly orderId: string;
  readonly personId: string | undefined;
  readonly enabled: boolean;
}): History {
  const { orderId, personId, enabled } = props;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['orderHistory', personId, orderId],
    queryFn: async ({ signal }) => {
      const received = await callService('orderHistory', { orderId }, signal);
      if (received.value.order_id.toLowerCase() === orderId.toLowerCase()) return received;
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'orderHistory' });
    },
    enabled,
  });
  const problem = error === null ? undefined : problemOf(error);
  return useMemo(
    () => ({
      // What may no longer be seen isn't, held or not.
      value: enabled && problem === undefined ? data?.value : undefined,
      problem: enabled ? problem : undefined,
      isFetching,
      retry: () => void refetch(),
    }),
    [enabled, data, problem, isFetching, refetch],
  );
}
