import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { problemOf } from '../service-call.ts';

const queryKey = ['peopleSearchShut'];

/** Once a service has said that it has no search, it is not asked again in this sign-in. */
export function useSearchShut(): Problem | undefined {
  const { data } = useQuery<Problem | null>({
    queryKey,
    queryFn: () => null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? undefined;
}

/** Keeps what a search has failed of, where it is that there is none. */
export function useNotedShut(error: Error | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    const problem = error === null ? undefined : problemOf(error);
    const isMissing = problem?.kind === 'notFound' || problem?.kind === 'notOffered';
    if (isMissing) queries.setQueryData<Problem>(queryKey, { ...problem, kind: 'notOffered' });
  }, [error, queries]);
}
