import { useInfiniteQuery } from '@tanstack/react-query';
import type { LabOrderResult, Order } from '@caregate/domain';
import { usePaged, useRead, type Paged, type Read } from '../../api/read.ts';
import { callService } from '../../api/service-call.ts';
import { isSameId } from './order-facts.ts';

export interface Orders extends Paged {
  /** Newest first; undefined until the service has answered. */
  readonly orders: readonly Order[] | undefined;
  readonly total: number | undefined;
  /** The number of orders of other patients in the answers, which aren't shown. */
  readonly otherPatients: number;
  /** Whether the service has no list of orders, so that they are opened by number. */
  readonly isMissing: boolean;
}

export type ListedOrders = Orders & { readonly orders: readonly Order[] };

export function getLabResultKey(personId: string | undefined, orderId: string): readonly unknown[] {
  return ['labResult', personId, orderId];
}

/** @param options.isStored whether to use only an answer that is already in the cache */
export function useLabResult(
  personId: string | undefined,
  orderId: string | undefined,
  { isStored = false } = {},
): Read<LabOrderResult> {
  return useRead(
    getLabResultKey(personId, orderId ?? 'none'),
    orderId === undefined || isStored
      ? undefined
      : ({ signal }) => callService('labOrderResult', { orderId }, signal),
  );
}

const size = 50;

/** Reads the orders of a patient. They are read again on the first visit after a minute. */
export function useOrders(userId: string | undefined): Orders {
  const queryKey = ['orders', userId];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      callService('listOrders', { userId: userId ?? '', page: pageParam, size }, signal),
    initialPageParam: 1,
    // The total in an answer may be wrong, so the loaded orders are counted.
    getNextPageParam: ({ value }, pages, last) => {
      const loaded = pages.reduce((sum, page) => sum + page.value.orders.length, 0);
      const isFull = value.orders.length >= (value.size ?? size);
      const isMore = typeof value.total === 'number' ? loaded < value.total : isFull;
      return isMore && value.orders.length > 0 ? last + 1 : undefined;
    },
    enabled: userId !== undefined,
    staleTime: 60_000,
  });
  const paged = usePaged(query, queryKey);
  const kind = paged.problem?.kind;
  const all = query.data?.pages.flatMap((page) => page.value.orders);
  const orders =
    kind === 'forbidden'
      ? undefined
      : all?.filter((order) => isSameId(order.user_id, userId ?? ''));
  return {
    ...paged,
    orders,
    total: query.data?.pages.at(-1)?.value.total ?? undefined,
    otherPatients: orders === undefined ? 0 : (all?.length ?? 0) - orders.length,
    isMissing: kind === 'notOffered' || kind === 'notFound',
  };
}
