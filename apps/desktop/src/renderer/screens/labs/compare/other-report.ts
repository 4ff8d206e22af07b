import { skipToken, useQuery } from '@tanstack/react-query';
import type { LabOrderResult } from '@caregate/domain';
import type { Received } from '../../../../bridge/channels.ts';
import type { Problem } from '../../../../bridge/problem.ts';
import { callService, problemOf } from '../../../state/service-call.ts';
import type { Correction } from '../history/use-correction.ts';
import { labResultKey } from '../orders/use-orders.ts';

/** What a report is compared with: the version that it replaced, or another order by its id. */
export type Compared = 'replaced' | { readonly orderId: string };

export interface OtherReport {
  readonly result: LabOrderResult | undefined;
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/** The other report: a version that is held already, or an order that is asked for. */
export function useOtherReport(
  compared: Compared,
  replaced: Correction['replaced'],
  personId: string | undefined,
): OtherReport {
  const orderId = compared === 'replaced' ? undefined : compared.orderId;
  const { data, error, isFetching, refetch } = useQuery<Received<LabOrderResult>>({
    queryKey: labResultKey(personId, orderId ?? 'none'),
    queryFn:
      orderId === undefined
        ? skipToken
        : ({ signal }) => callService('labOrderResult', { orderId }, signal),
  });
  const problem = error === null ? undefined : problemOf(error);
  const mayShow = problem === undefined || !['forbidden', 'notFound'].includes(problem.kind);
  return {
    result: orderId === undefined ? replaced?.result : mayShow ? data?.value : undefined,
    problem,
    isFetching: orderId !== undefined && isFetching,
    retry: () => void refetch(),
  };
}
