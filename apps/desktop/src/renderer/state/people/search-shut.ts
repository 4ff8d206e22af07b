import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { problemOf } from '../service-call.ts';

const queryKey = ['peopleSearchShut'];

/** A service without a search isn't asked again in this sign-in. */
export function useSearchShut(): Problem | undefined {
  const { data } = useQuery<Problem | null>({
    queryKey,
    queryFn: () => null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? undefined;
}

export function useNotedShut(error: Error | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    const problem = error === null ? undefined : problemOf(error);
    const isMissing = problem?.kind === 'notFound' || problem?.kind === 'notOffered';
    if (isMissing) queries.setQueryData<Problem>(queryKey, { ...problem, kind: 'notOffered' });
  }, [error, queries]);
}
