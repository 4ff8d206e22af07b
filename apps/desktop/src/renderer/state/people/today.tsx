import { useEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { ListedPerson, TodayChange, TodayPerson } from '../../../bridge/app-state.ts';
import { dayIn } from '../../../bridge/time-zone.ts';
import { workspaceContext } from '../context.ts';
import { unwrap } from '../service-call.ts';

/** The list that staff keep for the day. Main holds and changes it; it is gone at the clinic's midnight and at the sign-out. */
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
  // The clinic's, as of all times of the page.
  const { timeZone } = useIntl();
  const [day, setDay] = useState(() => dayIn(timeZone, new Date()));
  // Main has forgotten the list of yesterday.
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
