import { useMemo } from 'react';
import type { BiomarkerResult, LabOrderResult, OrderHistory } from '@caregate/domain';
import type { Received } from '../../../../shared/channels.ts';
import { checkIdentity, isSamePatient, needsLook } from '../identity/identity-check.ts';
import { useRead } from '../../../api/read.ts';
import type { Read } from '../../../api/read.ts';
import { callService, ServiceProblem } from '../../../api/service-call.ts';
import { changesOf } from './versions.ts';
import type { ChangedPair } from './versions.ts';

interface HistoryQuery {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Received<OrderHistory>>;
}

export function historyQuery(personId: string | undefined, orderId: string): HistoryQuery {
  return {
    queryKey: ['orderHistory', personId, orderId],
    queryFn: async ({ signal }) => {
      const received = await callService('orderHistory', { orderId }, signal);
      if (received.value.order_id.toLowerCase() === orderId.toLowerCase()) return received;
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'orderHistory' });
    },
  };
}

export function useHistory(props: {
  readonly orderId: string;
  readonly personId: string | undefined;
  readonly enabled: boolean;
}): Read<OrderHistory> | undefined {
  const { orderId, personId, enabled } = props;
  const { queryKey, queryFn } = historyQuery(personId, orderId);
  const read = useRead(queryKey, queryFn, { enabled });
  return enabled ? read : undefined;
}

export interface Correction {
  readonly replaced: { readonly at: string; readonly result: LabOrderResult } | undefined;
  /** The earlier version may be about somebody else: nothing of it is shown. */
  readonly isOfAnother: boolean;
  readonly changes: readonly ChangedPair[];
  readonly wasOf: (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;
}

export function useCorrection(
  result: LabOrderResult | undefined,
  history: OrderHistory | undefined,
  birthDates: readonly string[] | undefined,
): Correction {
  return useMemo(() => correctionOf(result, history, birthDates), [result, history, birthDates]);
}

export function correctionOf(
  result: LabOrderResult | undefined,
  history: OrderHistory | undefined,
  birthDates: readonly string[] | undefined,
): Correction {
  const before = history?.replaced;
  if (!before || result === undefined) return noCorrection;
  const isOther =
    !isSamePatient(result.metadata, before.result.metadata) ||
    needsLook(checkIdentity({ result: before.result, birthDates }));
  if (isOther) return { ...noCorrection, isOfAnother: true };
  const changes = changesOf(result, before.result);
  const was = new Map(
    changes.flatMap(({ now, before: earlier, change }) => {
      if (now === undefined || change === 'details') return [];
      return [[now, earlier ?? 'added'] as const];
    }),
  );
  return {
    replaced: { at: before.replaced_at, result: before.result },
    isOfAnother: false,
    changes,
    wasOf: (one) => was.get(one),
  };
}

export const noCorrection: Correction = {
  replaced: undefined,
  isOfAnother: false,
  changes: [],
  wasOf: () => undefined,
};
