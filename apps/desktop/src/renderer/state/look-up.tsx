import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../bridge/problem.ts';
import { workspaceContext } from './context.ts';
import { useNavigation } from './navigation.tsx';
import { useNotice } from './notice.tsx';
import { startMeasure } from './performance.ts';
import { resolvePerson } from './person.ts';
import type { RecentOrder, RecentPerson } from './recents.tsx';
import { useOrder, usePerson } from './selection.tsx';
import type { Opening } from './selection.tsx';
import { problemOf } from './service-call.ts';

interface Target extends Opening {
  /** Client id. */
  readonly id: string;
  /** A person was closed by the look-up. */
  readonly closed?: boolean;
}

export interface LookUp {
  /** Closes the open person and opens the one of this id; a later look-up replaces this one. */
  readonly lookUp: (clientUserId: string, opening?: Opening) => void;
  /** Also clears what was typed. */
  readonly lookUpScan: (code: string) => void;
  /** Shows a failure about this id. */
  readonly fail: (clientUserId: string, problem: Problem) => void;
  readonly cancel: () => void;
  readonly pending: Target | undefined;
  readonly failure: (Target & { readonly problem: Problem }) | undefined;
  /** Hides failure and notice. */
  readonly dismiss: () => void;
}

/** The text in Find's field. */
interface SearchText {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  /** Goes to Find with the first letters typed. */
  readonly begin: (letters: string) => void;
  /** The visit that `begin` started: its text is not selected. */
  readonly begunOn: number | undefined;
}

const [LookUpContext, useLookUp] = workspaceContext<LookUp>();
const [SearchTextContext, useSearchText] = workspaceContext<SearchText>();
export { useLookUp, useSearchText };

/** One look-up at a time for the window. */
export function LookUpProvider({ children }: { children: ReactNode }): ReactElement {
  const { show, carryOver } = useNotice();
  const [typed, setTyped] = useState('');
  const onOpened = useCallback(() => {
    setTyped('');
    // A notice during the look-up is about this person.
    carryOver();
  }, [carryOver]);
  const { start, fail, cancel, pending, failure, forget } = useLatestLookUp(onOpened);
  const { screen, visit, go } = useNavigation();
  const { person, leave } = usePerson();
  const closed = person !== undefined || pending?.closed === true;
  const lookUp = useCallback(
    (id: string, opening?: Opening) => {
      show(undefined);
      leave();
      if (screen !== 'find') go('find');
      start({ ...opening, id, closed });
    },
    [start, show, leave, screen, go, closed],
  );
  const lookUpScan = useCallback(
    (code: string) => {
      setTyped('');
      lookUp(code);
    },
    [lookUp],
  );
  const dismiss = useCallback(() => {
    show(undefined);
    forget();
  }, [forget, show]);
  const value = useMemo(
    () => ({ lookUp, lookUpScan, fail, cancel, pending, failure, dismiss }),
    [lookUp, lookUpScan, fail, cancel, pending, failure, dismiss],
  );
  const [begunOn, setBegunOn] = useState<number>();
  const begin = useCallback(
    (letters: string) => {
      setTyped((before) => (begunOn === visit ? before + letters : letters));
      setBegunOn(visit + 1);
      go('find');
    },
    [go, visit, begunOn],
  );
  const searchText = useMemo(() => ({ typed, setTyped, begin, begunOn }), [typed, begin, begunOn]);
  return (
    <SearchTextContext value={searchText}>
      <LookUpContext value={value}>{children}</LookUpContext>
    </SearchTextContext>
  );
}

/** Reopens recents by a new request, an order only under its own person. */
export function useReopen(): {
  readonly person: (recent: RecentPerson) => void;
  readonly order: (recent: RecentOrder) => void;
} {
  const { person } = usePerson();
  const { openOrder, openOrderAlone } = useOrder();
  const { lookUp } = useLookUp();
  const reopenPerson = useCallback(
    ({ clientUserId }: RecentPerson) => {
      lookUp(clientUserId);
    },
    [lookUp],
  );
  return {
    person: reopenPerson,
    order: ({ id, personId, clientUserId }) => {
      if (clientUserId === undefined) openOrderAlone(id);
      else if (personId === person?.value.user_id) openOrder(id);
      else lookUp(clientUserId, { order: id });
    },
  };
}

/** Client ids may be UUIDs too, so only Labs treats a code as an order. */
export function looksLikeOrder(code: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code);
}

/** The current look-up; one that was replaced or cancelled changes nothing. */
function useLatestLookUp(onOpened: () => void) {
  const { open } = usePerson();
  const { visit } = useNavigation();
  const visitNow = useRef(visit);
  useEffect(() => {
    visitNow.current = visit;
  }, [visit]);
  const running = useRef<AbortController>(undefined);
  const [pending, setPending] = useState<Target>();
  const [failed, setFailed] = useState<
    NonNullable<LookUp['failure']> & { readonly visit: number }
  >();
  // A failure is shown on this visit only.
  const failure = failed?.visit === visit ? failed : undefined;
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setPending(undefined);
  }, []);
  const forget = useCallback(() => {
    setFailed(undefined);
  }, []);
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = undefined;
    },
    [],
  );
  const start = useCallback(
    (target: Target) => {
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      setPending(target);
      setFailed(undefined);
      const settle = (done: () => void): void => {
        if (running.current !== mine) return;
        running.current = undefined;
        setPending(undefined);
        done();
      };
      resolvePerson(target.id, mine.signal, target.found?.user_id).then(
        (found) => {
          settle(() => {
            startMeasure('open');
            open(found, target);
            onOpened();
          });
        },
        (error: unknown) => {
          settle(() => {
            setFailed({ ...target, problem: problemOf(error), visit: visitNow.current });
          });
        },
      );
    },
    [open, onOpened],
  );
  const fail = useCallback((id: string, problem: Problem) => {
    setFailed({ id, problem, visit: visitNow.current });
  }, []);
  return { start, fail, cancel, pending, failure, forget };
}
