import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Problem } from '../../bridge/problem.ts';
import { ask, problemOf, ServiceProblem } from '../service/ask.ts';
import type { Person } from './desk.tsx';

/** The person chosen, as the service had it when it was last asked; asked again only when somebody wants it. */
export function usePerson(person: Person): {
  readonly held: Person;
  readonly problem: Problem | undefined;
  /** Whoever may no longer see the person, or is told that there is none, doesn't see what is held either. */
  readonly mayShow: boolean;
  readonly isFetching: boolean;
  readonly askAgain: () => void;
  readonly cancel: () => void;
} {
  const queries = useQueryClient();
  // Looked up once more, the person begins anew.
  const queryKey = ['person', person.value.user_id, person.receivedAt];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => again(person, signal),
    initialData: person,
    enabled: false,
    staleTime: Infinity,
  });
  const problem = error === null ? undefined : problemOf(error);
  return {
    held: data,
    problem,
    mayShow: problem === undefined || !['forbidden', 'notFound'].includes(problem.kind),
    isFetching,
    askAgain: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

/** The same person again; anyone else under the same client id is no answer. */
async function again(person: Person, signal: AbortSignal): Promise<Person> {
  const { client_user_id: clientUserId, user_id: userId } = person.value;
  const found = await ask('resolveUser', { clientUserId }, signal);
  if (found.value.user_id === userId && found.value.client_user_id === clientUserId) return found;
  throw new ServiceProblem({
    kind: 'serverBroken',
    operation: 'resolveUser',
    ...(found.requestId !== undefined && { requestId: found.requestId }),
  });
}
