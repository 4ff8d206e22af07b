import { useCallback, useEffect, useState } from 'react';
import type { Problem, ProblemKind } from '../../../bridge/problem.ts';

/** From one answer to the next question; with some jitter, as a whole clinic's desks start at once. */
const retryMs = 5000;

interface Clinic {
  /** Whether the service has answered once, or could not be asked. */
  readonly isAsked: boolean;
  /** Why the last question has no answer. */
  readonly problem: Problem | undefined;
  /** Asks again, now. */
  readonly ask: () => void;
}

interface Answer {
  readonly address: string;
  readonly turn: number;
  readonly problem: Problem | undefined;
}

/**
 * Asks the service that is known already how one signs in there, again and again until it is answered: computers of a
 * clinic are often up before its network is.
 *
 * @param address empty: nobody is asked
 */
export function useClinicOf(address: string, isEnrolled: boolean): Clinic {
  const [answer, setAnswer] = useState<Answer>();
  const [turn, setTurn] = useState(0);
  const ask = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  useEffect(() => {
    let wanted = true;
    if (address === '') return undefined;
    void window.caregate.lookUpService({ address }).then((found) => {
      if (!wanted) return;
      const problem = found.ok ? undefined : found.problem;
      setAnswer((before) => ({ address, turn, problem: sameOrNewer(before?.problem, problem) }));
    });
    return () => {
      wanted = false;
    };
  }, [address, turn]);
  const problem = answer?.address === address ? answer.problem : undefined;
  const isToRetry =
    problem !== undefined &&
    heals(problem) &&
    isAwaited(problem, isEnrolled) &&
    answer?.turn === turn;
  useEffect(() => {
    if (!isToRetry) return undefined;
    const timer = setTimeout(ask, retryMs * (0.8 + 0.4 * Math.random()));
    return () => {
      clearTimeout(timer);
    };
  }, [isToRetry, ask]);
  return { isAsked: address === '' || answer?.address === address, problem, ask };
}

/** A problem that stays the same is told once, whatever its request's id. */
function sameOrNewer(before: Problem | undefined, now: Problem | undefined): Problem | undefined {
  return before?.kind === now?.kind ? before : now;
}

const healing: readonly ProblemKind[] = ['offline', 'timeout', 'busy', 'serverBroken'];

/** Whether it may be over by itself. */
export function heals({ kind }: Problem): boolean {
  return healing.includes(kind);
}

/**
 * Whether to wait for an answer there, and not to sign in by key. What an address answers otherwise may be all that it
 * will ever say to a desk that it doesn't know: a service without people.
 */
export function isAwaited(problem: Problem, isEnrolled: boolean): boolean {
  if (isTooFarApart(problem)) return false;
  return isEnrolled || ['offline', 'timeout', 'busy'].includes(problem.kind);
}

/** Where no other try helps: one of the two has to be replaced. */
export function isTooFarApart({ kind }: Problem): boolean {
  return kind === 'serviceTooOld' || kind === 'deskTooOld';
}
