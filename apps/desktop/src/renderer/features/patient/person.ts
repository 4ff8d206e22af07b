import type { User } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { useRead, type Read } from '../../api/read.ts';
import { callService, ServiceProblem } from '../../api/service-call.ts';

export type Person = Received<User>;

/** Returns the open patient as of the last request. Only `refetch` and a new look-up send another request. */
export function usePersonQuery(person: Person): Read<User> {
  const { client_user_id: clientUserId, user_id: userId } = person.value;
  return useRead(
    ['person', userId, person.receivedAt],
    ({ signal }) => resolvePerson(clientUserId, signal, userId),
    { initialData: person, enabled: false, staleTime: Infinity },
  );
}

/**
 * Reads the patient with this MRN. Throws if the answer is about another patient, or has another user ID than the given
 * one.
 */
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
