import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { useStatus } from '../../state/app-state.ts';

interface Browser {
  /** Opens the system's browser at the clinic's provider. */
  readonly begin: () => void;
  readonly cancel: () => void;
  readonly waiting: boolean;
  readonly problem: Problem | undefined;
}

/** A sign-in by browser: at most one at a time, in whatever window it was begun. */
export function useBrowser(): Browser {
  const { signingIn } = useStatus();
  const [begun, setBegun] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const waiting = begun || signingIn;
  return {
    waiting,
    problem,
    begin: () => {
      if (waiting) return;
      setBegun(true);
      setProblem(undefined);
      void window.caregate.beginSignIn({}).then((outcome) => {
        if (!mounted.current) return;
        setBegun(false);
        // Whoever cancelled knows it.
        if (!outcome.ok && outcome.problem.kind !== 'cancelled') setProblem(outcome.problem);
      });
    },
    cancel: () => {
      void window.caregate.cancelSignIn({});
    },
  };
}
