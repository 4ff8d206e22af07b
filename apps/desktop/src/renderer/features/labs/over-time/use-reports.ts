import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { LabOrderResult, Order } from '@caregate/domain';
import type { Problem } from '../../../../shared/problem.ts';
import { checkIdentity, isSamePatient, needsLook } from '../identity/identity-check.ts';
import { readOrderState } from '../order-facts.ts';
import { getLabResultKey } from '../use-orders.ts';
import type { Person } from '../../patient/person.ts';
import { toRead } from '../../../api/read.ts';
import { callService } from '../../../api/service-call.ts';
import { getReportDate } from '../history/earlier-values.ts';
import { findCorrection, createHistoryQuery } from '../history/corrections.ts';
import { useIdentitySources } from '../identity/identity-gate.ts';
import type { Column } from './grid-rows.ts';

interface Reports {
  /** The newest report is first. */
  readonly columns: readonly Column[];
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly problem: Problem | undefined;
  /** The number of reports that may be about another patient, and therefore aren't shown. */
  readonly leftOut: number;
  /** When the oldest of the answers was received. */
  readonly receivedAt: string | undefined;
  readonly refetch: () => void;
  readonly cancel: () => void;
}

/** Reads the reports of these orders, and the earlier versions of corrected reports. */
export function useReports(person: Person, orders: readonly Order[]): Reports {
  const personId = person.value.user_id;
  const queries = useQueryClient();
  const { birthDates, insurance, isPending: isPersonPending } = useIdentitySources(person);
  const results = useQueries({
    queries: orders.map(({ id }) => ({
      queryKey: getLabResultKey(personId, id),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        callService('labOrderResult', { orderId: id }, signal),
      // Only Refresh reads a report again.
      staleTime: Infinity,
    })),
  });
  const reads = results.map((query) => toRead<LabOrderResult>(query));
  const isOfPatient = (result: LabOrderResult): boolean =>
    !needsLook(checkIdentity({ result, birthDates, insurance }));
  const received = isPersonPending
    ? []
    : orders
        .flatMap((order, index) => {
          const data = reads[index]?.data;
          return data === undefined ? [] : [{ order, ...data, date: getReportDate(data.value) }];
        })
        .toSorted((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0));
  const newest = received.find(({ value }) => isOfPatient(value));
  const shown = received.filter(
    ({ value }) =>
      isOfPatient(value) &&
      newest !== undefined &&
      isSamePatient(newest.value.metadata, value.metadata),
  );
  const corrected = shown.filter(({ order }) => readOrderState(order).kind === 'corrected');
  const histories = useQueries({
    queries: corrected.map(({ order }) => ({
      ...createHistoryQuery(personId, order.id),
      staleTime: Infinity,
    })),
  });
  const columns = shown.map(({ order, value, date }): Column => {
    const place = corrected.findIndex((one) => one.order === order);
    const history = place === -1 ? undefined : histories[place]?.data?.value;
    return {
      orderId: order.id,
      ordered: order.created_at,
      date,
      result: value,
      isPartial: readOrderState(order).kind === 'partial',
      findReplaced: findCorrection(value, history, birthDates).findReplaced,
    };
  });
  const keys = orders.map(({ id }) => getLabResultKey(personId, id));
  return {
    columns,
    isPending: isPersonPending || reads.some(({ data, isFetching }) => !data && isFetching),
    isFetching: reads.some(({ isFetching }) => isFetching),
    problem: reads.find(({ problem }) => problem !== undefined && problem.missing !== 'result')
      ?.problem,
    leftOut: received.length - shown.length,
    receivedAt: shown.map(({ receivedAt }) => receivedAt).toSorted()[0],
    refetch: () => {
      for (const queryKey of keys) void queries.refetchQueries({ queryKey });
    },
    cancel: () => {
      for (const queryKey of keys) void queries.cancelQueries({ queryKey });
    },
  };
}
