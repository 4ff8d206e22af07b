import { useEffect, useState } from 'react';
import type { Outcome, Problem, ProblemKind } from '../../../bridge/problem.ts';
import { useSettings } from '../../state/app-state.ts';

/** The field that has to be corrected; any other problem is shown above both. */
export type Place = 'address' | 'key' | 'elsewhere';

const places: Readonly<Partial<Record<ProblemKind, Place>>> = {
  invalidAddress: 'address',
  insecureAddress: 'address',
  fixedAddress: 'address',
  invalidKey: 'key',
  expired: 'key',
};

export function placeOf({ kind }: Problem): Place {
  return places[kind] ?? 'elsewhere';
}

interface SigningIn {
  /** One at a time: a second press while it is under way does nothing. */
  readonly run: (signIn: () => Promise<Outcome<unknown>>, onDone?: () => void) => void;
  readonly working: boolean;
  readonly problem: Problem | undefined;
  /** The field was changed: clears its problem, and one that belongs to no field. */
  readonly changed: (place: 'address' | 'key') => void;
}

/** Signs in; after a failure, calls back with the field that has to be corrected. */
export function useSignIn(onProblem: (place: Place) => void): SigningIn {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  return {
    working,
    problem,
    run: (signIn, onDone) => {
      if (working) return;
      setWorking(true);
      setProblem(undefined);
      void signIn().then((outcome) => {
        setWorking(false);
        if (outcome.ok) {
          onDone?.();
          return;
        }
        setProblem(outcome.problem);
        onProblem(placeOf(outcome.problem));
      });
    },
    changed: (place) => {
      setProblem((before) =>
        before !== undefined && [place, 'elsewhere'].includes(placeOf(before)) ? undefined : before,
      );
    },
  };
}

/**
 * A staff key while it is typed: in its field, and nowhere else. Left alone for the minutes that would lock the desk,
 * it goes: nobody signs in with what somebody else left there.
 */
export function useTypedKey(): readonly [key: string, setKey: (key: string) => void] {
  const { lockMinutes } = useSettings();
  const [key, setKey] = useState('');
  useEffect(() => {
    if (key === '') return undefined;
    const timer = setTimeout(() => {
      setKey('');
    }, lockMinutes * 60_000);
    return () => {
      clearTimeout(timer);
    };
  }, [key, lockMinutes]);
  return [key, setKey];
}
