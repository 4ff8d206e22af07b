import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { provided } from './context.tsx';
import { useNavigation } from './navigation.tsx';
import type { Scan } from '../features/scanner/scan-listener.ts';
import { resolvePerson } from '../features/patient/person.ts';
import { resolveScanned } from '../features/scanner/scanned-person.ts';
import type { RecentOrder, RecentPerson } from '../features/search/recents.tsx';
import { unsay } from './say.ts';
import { useSelection } from './selection.tsx';
import type { Opening } from './selection.tsx';
import { problemOf } from '../api/service-call.ts';

interface Target extends Opening {
  readonly id: string;
  /** A person was closed by the look-up. */
  readonly closed?: boolean;
  /** When the id was scanned; undefined where it was typed or chosen. */
  readonly scannedAt?: Date | undefined;
  /** After a lock, to the patient who was open: it gives way to whoever types. */
  readonly isReturn?: boolean;
  /** The scanned code as on a US keyboard. */
  readonly usCode?: string;
}

interface Failure extends Target {
  readonly problem: Problem;
}

export interface LookUp {
  /** Closes the open person and opens the one of this id; a later look-up replaces this one. */
  readonly lookUp: (clientUserId: string, opening?: Omit<Target, 'id' | 'closed'>) => void;
  readonly lookUpScan: (scan: Pick<Scan, 'code' | 'usCode'>) => void;
  readonly fail: (clientUserId: string, problem: Problem) => void;
  readonly cancel: () => void;
  readonly pending: Target | undefined;
  readonly failure: Failure | undefined;
  readonly dismiss: () => void;
}

interface SearchText {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  readonly begin: (letters: string) => void;
  /** The visit that `begin` started: its text is not selected. */
  readonly begunOn: number | undefined;
}

export const [SearchTextProvider, useSearchText] = provided((): SearchText => {
  const { visit, go } = useNavigation();
  const [typed, setTyped] = useState('');
  const [begunOn, setBegunOn] = useState<number>();
  return useMemo(() => {
    const begin = (letters: string): void => {
      setTyped((before) => (begunOn === visit ? before + letters : letters));
      setBegunOn(visit + 1);
      go('find');
    };
    return { typed, setTyped, begin, begunOn };
  }, [typed, go, visit, begunOn]);
});

/** One look-up at a time for the window: one that was replaced or cancelled changes nothing. */
export const [LookUpProvider, useLookUp] = provided((): LookUp => {
  const { screen, visit, go } = useNavigation();
  const { person, open, leave } = useSelection();
  const { setTyped } = useSearchText();
  const [pending, setPending] = useState<Target>();
  const [failed, setFailed] = useState<Failure & { readonly visit: number }>();
  const failure = failed?.visit === visit ? failed : undefined;
  const closed = person !== undefined || pending?.closed === true;
  const running = useRef<AbortController>(undefined);
  const visitNow = useRef(visit);
  useEffect(() => {
    visitNow.current = visit;
  }, [visit]);
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = undefined;
    },
    [],
  );
  const actions = useMemo(() => {
    const lookUp: LookUp['lookUp'] = (id, opening = {}) => {
      unsay('notice.broken');
      leave();
      if (screen !== 'find') go('find');
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      const target = { ...opening, id, closed };
      setPending(target);
      setFailed(undefined);
      const settle = (done: () => void): void => {
        if (running.current !== mine) return;
        running.current = undefined;
        setPending(undefined);
        done();
      };
      const resolved =
        opening.usCode === undefined
          ? resolvePerson(id, mine.signal, opening.found?.user_id)
          : resolveScanned([id, opening.usCode], mine.signal);
      resolved.then(
        (found) => {
          settle(() => {
            open(found, target);
            setTyped('');
          });
        },
        (error: unknown) => {
          settle(() => {
            setFailed({ ...target, problem: problemOf(error), visit: visitNow.current });
          });
        },
      );
    };
    return {
      lookUp,
      lookUpScan: ({ code, usCode }: Pick<Scan, 'code' | 'usCode'>) => {
        setTyped('');
        lookUp(code, { scannedAt: new Date(), usCode });
      },
      fail: (id: string, problem: Problem) => {
        setFailed({ id, problem, visit: visitNow.current });
      },
      cancel: () => {
        running.current?.abort();
        running.current = undefined;
        setPending(undefined);
      },
      dismiss: () => {
        unsay('notice.broken');
        setFailed(undefined);
      },
    };
  }, [screen, go, open, leave, closed, setTyped]);
  return useMemo(() => ({ ...actions, pending, failure }), [actions, pending, failure]);
});

/** Reopens recents by a new request, an order only under its own person. */
export function useReopen(): {
  readonly person: (recent: RecentPerson) => void;
  readonly order: (recent: RecentOrder) => void;
} {
  const { person: current, openOrder, openOrderAlone } = useSelection();
  const { lookUp } = useLookUp();
  const person = useCallback(
    ({ clientUserId }: RecentPerson) => {
      lookUp(clientUserId);
    },
    [lookUp],
  );
  return {
    person,
    order: ({ id, personId, clientUserId }) => {
      if (clientUserId === undefined) openOrderAlone(id);
      else if (personId === current?.value.user_id) openOrder(id);
      else lookUp(clientUserId, { order: id });
    },
  };
}

/** Client ids may be UUIDs too, so only Labs treats a code as an order. */
export function looksLikeOrder(code: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code);
}
