import { useCallback, useEffect, useMemo, useState } from 'react';
import { useIntl } from 'react-intl';
import type {
  ListedPerson,
  TodayChange,
  TodayPerson,
  TodayState,
} from '../../../bridge/app-state.ts';
import { dayIn } from '../../../bridge/time-zone.ts';
import { provided } from '../context.tsx';
import { useNow } from '../hooks.ts';
import { useLookUp } from '../look-up.tsx';
import { resolvePerson } from '../person.ts';
import { callService, problemOf, unwrap } from '../service-call.ts';

/** The list of the day. Main stores it until the clinic's midnight or sign-out. */
interface Today {
  readonly people: readonly TodayPerson[];
  readonly change: typeof changeToday;
}

export interface Listed extends Pick<ListedPerson, 'userId' | 'clientUserId'> {
  readonly name?: string | null | undefined;
  readonly birthDate?: string | null | undefined;
}

function changeToday(act: TodayChange['act'], listed: Listed, time?: string): void {
  const { userId, clientUserId, name, birthDate } = listed;
  const known = { ...(name && { name }), ...(birthDate && { birthDate }) };
  const person = { userId, clientUserId, ...known };
  void window.caregate.changeToday({ act, person, ...(time !== undefined && { time }) });
}

export const nextState = {
  expected: 'arrived',
  arrived: 'done',
  done: 'expected',
} as const satisfies Record<TodayState, TodayState>;

export const [TodayProvider, useToday] = provided((): Today => {
  const [people, setPeople] = useState<readonly TodayPerson[]>([]);
  const { timeZone } = useIntl();
  // Main drops the list at midnight: reload then.
  const day = dayIn(timeZone, useNow(1000));
  useEffect(() => {
    let isWanted = true;
    const load = (): void => {
      unwrap(window.caregate.today({})).then(
        (today) => {
          if (isWanted) setPeople(today.people);
        },
        () => undefined,
      );
    };
    load();
    const unsubscribe = window.caregate.onTodayChanged((today) => {
      setPeople(today.people);
    });
    return () => {
      isWanted = false;
      unsubscribe();
    };
  }, [day]);
  return useMemo(() => ({ people, change: changeToday }), [people]);
});

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
  change('add', { userId, clientUserId, birthDate: born?.value });
  try {
    const { value: info } = await callService('userInfo', { userId }, signal);
    const name = [info.first_name, info.last_name].filter(Boolean).join(' ');
    change('complete', { userId, clientUserId, name, birthDate: info.dob ?? born?.value });
  } catch {
    // Listed by id alone.
  }
}
