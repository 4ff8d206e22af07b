import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Insurance } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { callService, problemOf } from '../../state/service-call.ts';
import type { Which } from './insurance-document.ts';

const cancelled: Problem = { kind: 'cancelled' };

export interface InsuranceRead {
  readonly data: Received<Insurance> | undefined;
  /** Why there is no answer, or no newer one; none while it is asked for. */
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  readonly cancel: () => void;
}

/** The answer is kept while the service can't be reached, and dropped once it says that there is none, or not for us. */
export function useInsurance(userId: string, which: Which): InsuranceRead {
  const primary = which === 'primary';
  const queryKey = ['insurance', userId, which];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callService('latestInsurance', { userId, primary }, signal),
  });
  const queries = useQueryClient();
  const problem = error === null ? undefined : problemOf(error);
  const isKept =
    problem === undefined || ['offline', 'timeout', 'busy', 'cancelled'].includes(problem.kind);
  // Given up, there is neither an answer nor an error.
  const stopped = data === undefined && error === null && !isFetching;
  return {
    data: isKept ? data : undefined,
    problem: isFetching ? undefined : stopped ? cancelled : problem,
    isFetching,
    refetch: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}
