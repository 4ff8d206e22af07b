import { useCallback } from 'react';
import { useLookUp } from '../look-up.tsx';
import { resolvePerson } from '../person.ts';
import { callService, problemOf } from '../service-call.ts';
import { useToday } from './today.tsx';
import type { Today } from './today.tsx';

/** Adds somebody to Today by client id without opening them. */
export function useAddById(): (clientUserId: string) => void {
  const { change } = useToday();
  const { fail } = useLookUp();
  return useCallback(
    (id: string) => {
      void addById(id, change).catch((error: unknown) => {
        fail(id, problemOf(error));
      });
    },
    [change, fail],
  );
}

async function addById(id: string, change: Today['change']): Promise<void> {
  const { signal } = new AbortController();
  const { value: person } = await resolvePerson(id, signal);
  const { user_id: userId, client_user_id: clientUserId, fallback_birth_date: born } = person;
  change('add', { userId, clientUserId, ...(born && { birthDate: born.value }) });
  try {
    const { value: info } = await callService('userInfo', { userId }, signal);
    const name = [info.first_name, info.last_name].filter(Boolean).join(' ');
    const birthDate = info.dob ?? born?.value;
    const known = { ...(name && { name }), ...(birthDate && { birthDate }) };
    change('complete', { userId, clientUserId, ...known });
  } catch {
    // Listed by id alone.
  }
}
