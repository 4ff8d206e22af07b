import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '@caregate/domain';
import type { Received } from '../../bridge/channels.ts';
import type { Problem } from '../../bridge/problem.ts';
import { callService, problemOf, ServiceProblem } from './service-call.ts';

/** A person as the service answered. */
export type Person = Received<User>;

/** The selected person as of the last request; requested again only when somebody refreshes. */
export function usePersonQuery(person: Person): {
  readonly held: Person;
  readonly problem: Problem | undefined;
  /** False once the service denies access or no longer finds the person: then the held data is hidden too. */
  readonly mayShow: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  readonly cancel: () => void;
} {
  const queries = useQueryClient();
  // A person who is looked up again is a new query.
  const { client_user_id: clientUserId, user_id: userId } = person.value;
  const queryKey = ['person', userId, person.receivedAt];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => resolvePerson(clientUserId, signal, userId),
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
    refetch: () => void refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

/** The person of a client id, and of this user id where that is known; an answer about anyone else is an error. */
export async function resolvePerson(
  clientUserId: string,
  signal: AbortSignal,
  userId?: string,
): Promise<Person> {
  const found = await callService('resolveUser', { clientUserId }, signal);
  const { user_id: foundUserId, client_user_id: foundClientUserId } = found.value;
  if (foundClientUserId === clientUserId && (userId ?? foundUserId) === foundUserId) return found;
  throw new ServiceProblem({
    kind: 'serverBroken',
    operation: 'resolveUser',
    ...(found.requestId !== undefined && { requestId: found.requestId }),
  });
}
