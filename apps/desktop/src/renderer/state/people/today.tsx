import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type {
  ListedPerson,
  TodayChange,
  TodayPerson,
  TodayState,
} from '../../../bridge/app-state.ts';
import { dayIn } from '../../../bridge/time-zone.ts';
import { workspaceContext } from '../context.ts';
import { useLookUp } from '../look-up.tsx';
import { resolvePerson } from '../person.ts';
import { callService, problemOf, unwrap } from '../service-call.ts';

/** The list of the day. Main stores it until the clinic's midnight or sign-out. */
interface Today {
  readonly people: readonly TodayPerson[];
  readonly change: (act: TodayChange['act'], person: ListedPerson, time?: string) => void;
}

const [TodayContext, useToday] = workspaceContext<Today>();
export { useToday };

function changeToday(
  act: TodayChange['act'],
  { userId, clientUserId, name, birthDate }: ListedPerson,
  time?: string,
): void {
  const known = {
    ...(name !== undefined && { name }),
    ...(birthDate !== undefined && { birthDate }),
  };
  const person = { userId, clientUserId, ...known };
  void window.caregate.changeToday({ act, person, ...(time !== undefined && { time }) });
}

/** Space and a click go on to the next, and from the last to the first. */
export const nextState = {
  expected: 'arrived',
  arrived: 'done',
  done: 'expected',
} as const satisfies Record<TodayState, TodayState>;

export function TodayProvider({ children }: { children: ReactNode }): ReactElement {
  const [people, setPeople] = useState<readonly TodayPerson[]>([]);
  const { timeZone } = useIntl();
  const [day, setDay] = useState(() => dayIn(timeZone, new Date()));
  // Main drops the list at midnight: reload then.
  useEffect(() => {
    const timer = setInterval(() => {
      setDay(dayIn(timeZone, new Date()));
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [timeZone]);
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
  const value = useMemo<Today>(() => ({ people, change: changeToday }), [people]);
  return <TodayContext value={value}>{children}</TodayContext>;
}

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
