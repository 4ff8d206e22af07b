import type { User } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { useRead } from '../../api/read.ts';
import type { Read } from '../../api/read.ts';
import { callService, ServiceProblem } from '../../api/service-call.ts';

export type Person = Received<User>;

/** The selected person as of the last request; requested again only by `refetch`, and per look-up. */
export function usePersonQuery(person: Person): Read<User> {
  const { client_user_id: clientUserId, user_id: userId } = person.value;
  return useRead(
    ['person', userId, person.receivedAt],
    ({ signal }) => resolvePerson(clientUserId, signal, userId),
    { initialData: person, enabled: false, staleTime: Infinity },
  );
}

/** The person of a client id, and of this user id if given; throws on an answer about anyone else. */
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
