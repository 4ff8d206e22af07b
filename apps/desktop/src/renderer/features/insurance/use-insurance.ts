import type { Insurance } from '@caregate/domain';
import { UNREACHABLE_KINDS } from '../../../shared/problem.ts';
import { useRead, type Read } from '../../api/read.ts';
import { callService } from '../../api/service-call.ts';

/** After these failures, an earlier answer stays on the screen. After any other failure, it may no longer be right. */
const passing: readonly string[] = [...UNREACHABLE_KINDS, 'busy', 'cancelled'];

export function useInsurance(
  userId: string,
  which: 'primary' | 'secondary',
  { isWanted = true, staleTime }: { isWanted?: boolean; staleTime?: number } = {},
): Read<Insurance> {
  const read = useRead(
    ['insurance', userId, which],
    ({ signal }) =>
      callService('latestInsurance', { userId, isPrimary: which === 'primary' }, signal),
    { enabled: isWanted, ...(staleTime !== undefined && { staleTime }) },
  );
  const { data, problem, isFetching } = read;
  const mayShow = problem === undefined || passing.includes(problem.kind);
  return {
    ...read,
    data: mayShow ? data : undefined,
    problem: isFetching || !isWanted ? undefined : problem,
  };
}
