import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Query, QueryClient, QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Received } from '../../shared/channels.ts';
import type { Problem } from '../../shared/problem.ts';
import { toProblem } from './service-call.ts';

export interface Read<T> {
  /** Undefined before the answer, and after the service has denied access to the data or no longer has it. */
  readonly data: Received<T> | undefined;
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  readonly cancel: () => void;
}

export interface Paged {
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  readonly cancel: () => void;
}

export function usePaged(
  query: Pick<
    UseInfiniteQueryResult,
    'error' | 'isFetching' | 'hasNextPage' | 'fetchNextPage' | 'refetch'
  >,
  queryKey: QueryKey,
): Paged {
  const queries = useQueryClient();
  const { error, isFetching, hasNextPage, fetchNextPage, refetch } = query;
  return {
    problem: error === null ? undefined : toProblem(error),
    isFetching,
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

interface State<T> {
  readonly data: Received<T> | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
}

export function toRead<T>(state: State<T>): Omit<Read<T>, 'refetch' | 'cancel'> {
  const { data, error, isFetching } = state;
  // A request that was cancelled before the first answer leaves neither data nor an error.
  const isCancelled = data === undefined && error === null && !isFetching;
  const problem = error !== null ? toProblem(error) : isCancelled ? cancelled : undefined;
  const isDenied = problem?.kind === 'forbidden' || problem?.kind === 'notFound';
  return { data: isDenied ? undefined : data, problem, isFetching };
}

const cancelled: Problem = { kind: 'cancelled' };

interface ReadOptions<T> {
  readonly enabled?: boolean;
  readonly staleTime?: number;
  readonly initialData?: Received<T>;
}

/** The controllers that abort the current requests. */
const running = new WeakMap<Query, AbortController>();

/**
 * React Query's own signal would abort the request when its screen unmounts. If the next screen needs the same answer,
 * it would send the request again and cause a second audit record.
 */
function startReading(queries: QueryClient, queryKey: QueryKey): AbortSignal {
  const controller = new AbortController();
  const query = queries.getQueryCache().find({ queryKey, exact: true });
  if (query !== undefined) running.set(query, controller);
  return controller.signal;
}

/** Reads from the service. Without `read`, returns only what is already in the cache under this key. */
export function useRead<T>(
  queryKey: QueryKey,
  read: ((context: { readonly signal: AbortSignal }) => Promise<Received<T>>) | undefined,
  options: ReadOptions<T> = {},
): Read<T> {
  const queries = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery<Received<T>>({
    queryKey,
    queryFn:
      read === undefined ? skipToken : () => read({ signal: startReading(queries, queryKey) }),
    ...options,
  });
  return {
    ...toRead({ data, error, isFetching }),
    refetch: () => void refetch(),
    cancel: () => {
      const query = queries.getQueryCache().find({ queryKey, exact: true });
      if (query !== undefined) running.get(query)?.abort();
    },
  };
}
