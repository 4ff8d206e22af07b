import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditPage, AuditRow, Grant, LogState } from '../../../bridge/audit.ts';
import type { RequestOf } from '../../../bridge/channels.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { callService, problemOf } from '../../state/service-call.ts';

type Asked = Omit<RequestOf<'auditEvents'>, 'call' | 'cursor'>;

interface Rows {
  /** Whom a client id was asked for. */
  readonly userId: string | undefined;
  readonly rows: readonly AuditRow[] | undefined;
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly retry: () => void;
  readonly cancel: () => void;
}

/** Records of the log, newest first, as many pages as were asked for. */
export function useAuditRows(channel: 'auditEvents' | 'auditAlarms', asked: Asked): Rows {
  const queries = useQueryClient();
  const queryKey = [channel, asked];
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<AuditPage> => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam };
      const { value } =
        channel === 'auditEvents'
          ? await callService('auditEvents', { ...asked, ...cursor }, signal)
          : await callService('auditAlarms', cursor, signal);
      return value;
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return {
    userId: data?.pages[0]?.userId,
    rows: data?.pages.flatMap(({ rows }) => rows),
    problem: error === null ? undefined : problemOf(error),
    isFetching,
    hasMore: hasNextPage,
    more: () => void fetchNextPage(),
    retry: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

/** An answer, or why there is none. */
interface Asking {
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

interface Grants extends Asking {
  readonly grants: readonly Grant[] | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly cancel: () => void;
}

/** Emergency accesses that wait for their review, oldest first, or all, as many pages as were asked for. */
export function useGrants(state: 'open' | 'all'): Grants {
  const queries = useQueryClient();
  const queryKey = ['grants', state];
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam };
      return (await callService('grants', { state, ...cursor }, signal)).value;
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return {
    grants: data?.pages.flatMap(({ grants }) => grants),
    problem: error === null ? undefined : problemOf(error),
    isFetching,
    hasMore: hasNextPage,
    more: () => void fetchNextPage(),
    retry: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

/** What the service says of its log, verified for this answer. */
export function useLogState(): Asking & { readonly state: LogState | undefined } {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['logState'],
    queryFn: ({ signal }) => callService('logState', {}, signal),
  });
  return {
    state: data,
    problem: error === null ? undefined : problemOf(error),
    isFetching,
    retry: () => void refetch(),
  };
}
