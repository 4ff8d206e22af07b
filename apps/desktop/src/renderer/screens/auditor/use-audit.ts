import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Grant, LogState } from '../../../bridge/audit.ts';
import type { RequestOf, ResponseOf } from '../../../bridge/channels.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { callService, problemOf } from '../../state/service-call.ts';

type Paged = 'listAuditEvents' | 'listAuditAlarms' | 'listBreakGlass';

interface Query {
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

export interface Pages<Page = unknown> extends Query {
  /** Undefined until the first was read. */
  readonly pages: readonly Page[] | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly cancel: () => void;
}

export function usePages<C extends Paged>(
  channel: C,
  request: Omit<RequestOf<C>, 'call' | 'cursor'>,
  enabled = true,
): Pages<ResponseOf<C>['value']> {
  const queries = useQueryClient();
  const queryKey = [channel, request];
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...request, ...(pageParam !== undefined && { cursor: pageParam }) };
      return (await callService(channel, page as Omit<RequestOf<C>, 'call'>, signal)).value;
    },
    enabled,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return {
    pages: data?.pages,
    problem: error === null ? undefined : problemOf(error),
    isFetching,
    hasMore: hasNextPage,
    more: () => void fetchNextPage(),
    retry: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

/** What waits for a review, the oldest first: all of it, since the oldest may be on the last page. */
export function useOpenGrants(): { readonly query: Pages; readonly grants: readonly Grant[] } {
  const query = usePages('listBreakGlass', { state: 'open' });
  const { pages, hasMore, isFetching, problem, more } = query;
  const isToRead = hasMore && !isFetching && problem === undefined;
  useEffect(() => {
    if (isToRead) more();
  });
  const grants = pages?.flatMap((page) => page.grants) ?? [];
  return { query, grants: grants.toSorted((a, b) => (a.grantedAt < b.grantedAt ? -1 : 1)) };
}

export function useLogState(): Query & { readonly state: LogState | undefined } {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['auditLogState'],
    queryFn: ({ signal }) => callService('auditLogState', {}, signal),
  });
  return {
    state: data,
    problem: error === null ? undefined : problemOf(error),
    isFetching,
    retry: () => void refetch(),
  };
}
