import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Order } from '@caregate/domain';
import type { Problem } from '../../../../bridge/problem.ts';
import { callService, problemOf } from '../../../state/service-call.ts';

/** The orders of a person, as far as they were asked for. */
export interface Orders {
  /** Newest first; undefined until the service has answered. */
  readonly orders: readonly Order[] | undefined;
  /** How many there are on all pages, where the service says. */
  readonly total: number | undefined;
  /** Orders in the answers that are of another person: they are not shown under this one. */
  readonly foreign: number;
  readonly problem: Problem | undefined;
  /** The service has no such list: orders open by their numbers. */
  readonly isMissing: boolean;
  readonly isFetching: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  readonly cancel: () => void;
}

/** Of the query of an order's result, under the person who is open. */
export function labResultKey(personId: string | undefined, orderId: string): readonly unknown[] {
  return ['labResult', personId, orderId];
}

const size = 50;

/** Asks for a person's orders, a page after the other on demand. Without a person there is nothing to ask. */
export function useOrders(userId: string | undefined): Orders {
  const queries = useQueryClient();
  const queryKey = useMemo(() => ['orders', userId], [userId]);
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      callService('listOrders', { userId: userId ?? '', page: pageParam, size }, signal),
    initialPageParam: 1,
    // The page that was asked for counts, whatever the answer calls it: nothing is asked for twice.
    getNextPageParam: ({ value }, pages, last) => {
      const held = pages.reduce((sum, page) => sum + page.value.orders.length, 0);
      const isFull = value.orders.length >= (value.size ?? size);
      const isMore = typeof value.total === 'number' ? held < value.total : isFull;
      return isMore && value.orders.length > 0 ? last + 1 : undefined;
    },
    enabled: userId !== undefined,
  });
  const problem = error === null ? undefined : problemOf(error);
  return useMemo(() => {
    const all = data?.pages.flatMap((page) => page.value.orders);
    const mayShow = problem?.kind !== 'forbidden';
    const orders = mayShow ? all?.filter((order) => isOf(order, userId)) : undefined;
    return {
      orders,
      total: data?.pages.at(-1)?.value.total ?? undefined,
      foreign: orders === undefined ? 0 : (all?.length ?? 0) - orders.length,
      problem,
      isMissing: problem?.kind === 'notOffered' || problem?.kind === 'notFound',
      isFetching,
      hasMore: hasNextPage,
      loadMore: () => void fetchNextPage(),
      retry: () => void refetch(),
      cancel: () => void queries.cancelQueries({ queryKey }),
    };
  }, [data, problem, userId, isFetching, hasNextPage, fetchNextPage, refetch, queries, queryKey]);
}

function isOf(order: Order, userId: string | undefined): boolean {
  return order.user_id.toLowerCase() === userId?.toLowerCase();
}
