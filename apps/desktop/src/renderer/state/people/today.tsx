import { useEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { ListedPerson, TodayChange, TodayPerson } from '../../../bridge/app-state.ts';
import { dayIn } from '../../../bridge/time-zone.ts';
import { workspaceContext } from '../context.ts';
import { unwrap } from '../service-call.ts';

/** The list of the day. Main stores it until the clinic's midnight or sign-out. */
export interface Today {
  readonly people: readonly TodayPerson[];
  readonly change: (act: TodayChange['act'], person: ListedPerson) => void;
}

const [TodayContext, useToday] = workspaceContext<Today>();
export { useToday };

function changeToday(
  act: TodayChange['act'],
  { userId, clientUserId, name, birthDate }: ListedPerson,
): void {
  const known = {
    ...(name !== undefined && { name }),
    ...(birthDate !== undefined && { birthDate }),
  };
  void window.caregate.changeToday({ act, person: { userId, clientUserId, ...known } });
}

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
        (held) => {
          if (isWanted) setPeople(held.people);
        },
        () => undefined,
      );
    };
    load();
    const unsubscribe = window.caregate.onTodayChanged((held) => {
      setPeople(held.people);
    });
    return () => {
      isWanted = false;
      unsubscribe();
    };
  }, [day]);
  const value = useMemo<Today>(() => ({ people, change: changeToday }), [people]);
  return <TodayContext value={value}>{children}</TodayContext>;
}
