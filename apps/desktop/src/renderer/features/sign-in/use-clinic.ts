import { useCallback, useEffect, useState } from 'react';
import { UNREACHABLE_KINDS } from '../../../shared/problem.ts';
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
  readonly attempt: number;
  readonly problem: Problem | undefined;
}

/** Asks the known service how to sign in, until it answers: computers are often up before the network is. */
export function useClinicAt(address: string): Clinic {
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => {
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    let isCurrent = true;
    if (address === '') return undefined;
    void window.caregate.signInInfo({ address }).then((found) => {
      if (!isCurrent) return;
      const problem = found.ok ? undefined : found.problem;
      setAnswer((before) => ({ address, attempt, problem: keepIfSame(before?.problem, problem) }));
    });
    return () => {
      isCurrent = false;
    };
  }, [address, attempt]);
  const problem = answer?.address === address ? answer.problem : undefined;
  const isToRetry = problem !== undefined && isTemporary(problem) && answer?.attempt === attempt;
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
function keepIfSame(before: Problem | undefined, now: Problem | undefined): Problem | undefined {
  return before?.kind === now?.kind ? before : now;
}

const temporaryKinds: readonly ProblemKind[] = [...UNREACHABLE_KINDS, 'busy', 'serverBroken'];

export function isTemporary({ kind }: Problem): boolean {
  return temporaryKinds.includes(kind);
}
