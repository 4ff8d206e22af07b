import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { TodayPerson } from '../../../bridge/app-state.ts';
import { dayIn } from '../../../bridge/time-zone.ts';
import { unwrap } from '../service-call.ts';

/** The list that staff keep for the day. Main holds it; it is gone at the clinic's midnight and at the sign-out. */
export interface Today {
  readonly people: readonly TodayPerson[];
  /** At the end; somebody who is on it already stays where they are, with what is known now. */
  readonly add: (person: Omit<TodayPerson, 'isDone'>) => void;
  readonly remove: (userId: string) => void;
  readonly setDone: (userId: string, isDone: boolean) => void;
  readonly move: (userId: string, by: 1 | -1) => void;
}

const TodayContext = createContext<Today | undefined>(undefined);

/** As long as main takes. */
const most = 200;

export function withAdded(
  people: readonly TodayPerson[],
  person: Omit<TodayPerson, 'isDone'>,
): readonly TodayPerson[] {
  const isThere = people.some(({ userId }) => userId === person.userId);
  if (!isThere) return people.length < most ? [...people, { ...person, isDone: false }] : people;
  return people.map((one) => (one.userId === person.userId ? { ...one, ...person } : one));
}

/** One place up or down; at either end nothing changes. */
export function withMoved(
  people: readonly TodayPerson[],
  userId: string,
  by: 1 | -1,
): readonly TodayPerson[] {
  const from = people.findIndex((one) => one.userId === userId);
  const moved = people[from];
  const to = from + by;
  if (moved === undefined || to < 0 || to >= people.length) return people;
  const others = people.filter((one) => one !== moved);
  return others.toSpliced(to, 0, moved);
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
    // Another window may have changed it.
    window.addEventListener('focus', load);
    return () => {
      isWanted = false;
      window.removeEventListener('focus', load);
    };
  }, [day]);
  const change = useCallback((how: (before: readonly TodayPerson[]) => readonly TodayPerson[]) => {
    setPeople((before) => {
      const after = how(before);
      if (after !== before) void window.caregate.saveToday({ people: [...after] });
      return after;
    });
  }, []);
  const value = useMemo<Today>(
    () => ({
      people,
      add: (person) => {
        change((before) => withAdded(before, person));
      },
      remove: (userId) => {
        change((before) => before.filter((one) => one.userId !== userId));
      },
      setDone: (userId, isDone) => {
        change((before) => before.map((one) => (one.userId === userId ? { ...one, isDone } : one)));
      },
      move: (userId, by) => {
        change((before) => withMoved(before, userId, by));
      },
    }),
    [people, change],
  );
  return <TodayContext value={value}>{children}</TodayContext>;
}

/** Only below WorkspaceProvider. */
export function useToday(): Today {
  const today = use(TodayContext);
  if (today === undefined) throw new Error('useToday needs a WorkspaceProvider above');
  return today;
}
