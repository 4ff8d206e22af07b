import { useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { toProblem } from '../api/service-call.ts';

interface Attempt {
  readonly run: <T>(attempt: () => Promise<T>, onDone?: (value: T) => void) => void;
  readonly working: boolean;
  readonly problem: Problem | undefined;
  readonly clear: () => void;
}

/** Runs one action at a time and keeps its problem. A cancelled action has no problem. */
export function useAttempt(onProblem?: (problem: Problem) => void): Attempt {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const clear = (): void => setProblem(undefined);
  const run: Attempt['run'] = (attempt, onDone) => {
    if (working) return;
    setWorking(true);
    clear();
    attempt().then(
      (value) => {
        setWorking(false);
        onDone?.(value);
      },
      (error: unknown) => {
        setWorking(false);
        const found = toProblem(error);
        if (found.kind === 'cancelled') return;
        setProblem(found);
        onProblem?.(found);
      },
    );
  };
  return { run, working, problem, clear };
}
