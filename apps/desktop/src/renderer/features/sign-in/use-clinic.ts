import { useCallback, useEffect, useState } from 'react';
import { UNREACHED } from '../../../shared/problem.ts';
import type { Problem, ProblemKind } from '../../../shared/problem.ts';

/** With jitter, as a clinic's desks start together. */
const retryMs = 5000;

interface Clinic {
  /** The service answered, or there is none to retry. */
  readonly isReady: boolean;
  readonly problem: Problem | undefined;
  readonly retry: () => void;
}

interface Answer {
  readonly address: string;
  readonly turn: number;
  readonly problem: Problem | undefined;
}

/** Asks the known service how to sign in, until it answers: computers are often up before the network is. */
export function useClinicAt(address: string): Clinic {
  const [answer, setAnswer] = useState<Answer>();
  const [turn, setTurn] = useState(0);
  const retry = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  useEffect(() => {
    let wanted = true;
    if (address === '') return undefined;
    void window.caregate.signInInfo({ address }).then((found) => {
      if (!wanted) return;
      const problem = found.ok ? undefined : found.problem;
      setAnswer((before) => ({ address, turn, problem: sameOrNewer(before?.problem, problem) }));
    });
    return () => {
      wanted = false;
    };
  }, [address, turn]);
  const problem = answer?.address === address ? answer.problem : undefined;
  const isToRetry = problem !== undefined && heals(problem) && answer?.turn === turn;
  useEffect(() => {
    if (!isToRetry) return undefined;
    const timer = setTimeout(retry, retryMs * (0.8 + 0.4 * Math.random()));
    return () => {
      clearTimeout(timer);
    };
  }, [isToRetry, retry]);
  return { isReady: address === '' || answer?.address === address, problem, retry };
}

/** The same problem is announced once. */
function sameOrNewer(before: Problem | undefined, now: Problem | undefined): Problem | undefined {
  return before?.kind === now?.kind ? before : now;
}

const healing: readonly ProblemKind[] = [...UNREACHED, 'busy', 'serverBroken'];

export function heals({ kind }: Problem): boolean {
  return healing.includes(kind);
}
