import { useCallback, useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { problemOf } from '../../state/service-call.ts';
import { mindfulnessPages } from './mindfulness-pages.ts';
import { withPage } from './panels.ts';
import type { Panel } from './panels.ts';

export interface Days {
  readonly first: string;
  readonly last: string;
}

interface Coming {
  readonly panels: readonly Panel[];
  readonly state: 'coming' | 'whole' | 'stopped';
  readonly problem?: Problem;
  readonly receivedAt?: string;
}

const nothing: Coming = { panels: [], state: 'coming' };

/** The sessions of some days as their pages come in, and a way to stop. What has come stays, known to be partial. */
export function useSessions(
  userId: string,
  { first, last }: Days,
): Coming & { readonly cancel: () => void; readonly again: () => void } {
  const [coming, setComing] = useState<Coming>(nothing);
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController>(undefined);
  useEffect(() => {
    const mine = new AbortController();
    running.current = mine;
    setComing(nothing);
    void gather(userId, { first, last }, mine.signal, (next) => {
      // Only the run that was asked for last says anything.
      if (running.current === mine) setComing(next);
    });
    return () => {
      mine.abort();
      if (running.current === mine) running.current = undefined;
    };
  }, [userId, first, last, turn]);
  const cancel = useCallback(() => {
    running.current?.abort();
  }, []);
  const again = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  return { ...coming, cancel, again };
}

async function gather(
  userId: string,
  { first, last }: Days,
  signal: AbortSignal,
  tell: (coming: Coming) => void,
): Promise<void> {
  let so: Coming = nothing;
  try {
    // From the first place where the day begins until the last where it ends, so that days are whole by any clock.
    const query = { userId, startDate: shifted(first, -14), endDate: shifted(last, 24 + 12) };
    for await (const { value, receivedAt } of mindfulnessPages(query, signal)) {
      so = { panels: withPage(so.panels, value), state: 'coming', receivedAt };
      tell(so);
    }
    tell({ ...so, state: 'whole' });
  } catch (error) {
    const problem = problemOf(error);
    // Who may not see the next page doesn't see the first ones either.
    const kept = ['forbidden', 'notFound'].includes(problem.kind) ? nothing : so;
    tell({ ...kept, state: 'stopped', problem });
  }
}

/** A moment so many hours from the beginning of the day in UTC. */
function shifted(day: string, hours: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000).toISOString();
}
