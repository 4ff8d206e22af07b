import { useEffect, useState } from 'react';
import { UNREACHABLE_KINDS, type Problem, type ProblemKind } from '../../../shared/problem.ts';

/** A random part is added, since the desks of a clinic start at the same time. */
const retryMs = 5000;

interface Clinic {
  /** Whether the service has answered, or no address is set. */
  readonly isReady: boolean;
  readonly problem: Problem | undefined;
  readonly retry: () => void;
}

/** Asks the service how to sign in and repeats that until it answers, since computers often start before the network does. */
export function useClinicAt(address: string): Clinic {
  const [answer, setAnswer] = useState<{ address: string; problem: Problem | undefined }>();
  const [attempt, setAttempt] = useState(0);
  const retry = (): void => setAttempt(attempt + 1);
  useEffect(() => {
    if (address === '') return undefined;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void window.caregate.signInInfo({ address }).then((found) => {
      if (!isCurrent) return;
      const problem = found.ok ? undefined : found.problem;
      setAnswer((before) => ({
        address,
        // Keeping the same object prevents a second announcement of the same problem.
        problem: before?.problem?.kind === problem?.kind ? before?.problem : problem,
      }));
      if (problem !== undefined && isTemporary(problem)) {
        timer = setTimeout(() => setAttempt(attempt + 1), retryMs * (0.8 + 0.4 * Math.random()));
      }
    });
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [address, attempt]);
  const isAnswered = answer?.address === address;
  return {
    isReady: address === '' || isAnswered,
    problem: isAnswered ? answer.problem : undefined,
    retry,
  };
}

const temporaryKinds: readonly ProblemKind[] = [...UNREACHABLE_KINDS, 'busy', 'serverBroken'];

export function isTemporary({ kind }: Problem): boolean {
  return temporaryKinds.includes(kind);
}
