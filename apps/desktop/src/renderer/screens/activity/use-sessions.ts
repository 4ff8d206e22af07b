import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestOf, ResponseOf } from '../../../bridge/channels.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { callService, problemOf, ServiceProblem } from '../../state/service-call.ts';
import { withPage } from './panels.ts';
import type { Panel } from './panels.ts';

export interface Days {
  readonly first: string;
  readonly last: string;
}

interface SessionsState {
  readonly panels: readonly Panel[];
  readonly state: 'loading' | 'complete' | 'stopped';
  readonly problem?: Problem;
  readonly receivedAt?: string;
  readonly recordIds: readonly string[];
}

const nothing: SessionsState = { panels: [], state: 'loading', recordIds: [] };

/** Sessions as their pages arrive. After a cancel or a failure the first ones stay, known to be partial. */
export function useSessions(
  userId: string,
  { first, last }: Days,
): SessionsState & { readonly cancel: () => void; readonly retry: () => void } {
  const [state, setState] = useState<SessionsState>(nothing);
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController>(undefined);
  useEffect(() => {
    const mine = new AbortController();
    running.current = mine;
    setState(nothing);
    void loadSessions(userId, { first, last }, mine.signal, (next) => {
      // A newer run replaced this one.
      if (running.current === mine) setState(next);
    });
    return () => {
      mine.abort();
      if (running.current === mine) running.current = undefined;
    };
  }, [userId, first, last, turn]);
  const cancel = useCallback(() => {
    running.current?.abort();
  }, []);
  const retry = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  return { ...state, cancel, retry };
}

async function loadSessions(
  userId: string,
  { first, last }: Days,
  signal: AbortSignal,
  tell: (state: SessionsState) => void,
): Promise<void> {
  let so: SessionsState = nothing;
  try {
    // From where the day begins first on Earth to where it ends last, so that days are whole by any clock.
    const query = { userId, startDate: shifted(first, -14), endDate: shifted(last, 24 + 12) };
    for await (const { value, receivedAt, auditId } of mindfulnessPages(query, signal)) {
      const recordIds = [...so.recordIds, ...(auditId === undefined ? [] : [auditId])];
      so = { panels: withPage(so.panels, value), state: 'loading', receivedAt, recordIds };
      tell(so);
    }
    tell({ ...so, state: 'complete' });
  } catch (error) {
    const problem = problemOf(error);
    // Someone who may not see the next page may not see the first ones.
    const visible = ['forbidden', 'notFound'].includes(problem.kind) ? nothing : so;
    tell({ ...visible, state: 'stopped', problem });
  }
}

function shifted(day: string, hours: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000).toISOString();
}

type Query = Omit<RequestOf<'mindfulnessMinutes'>, 'call' | 'nextCursor'>;

/** A repeated or empty cursor is a problem, never an endless loop. */
async function* mindfulnessPages(
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<ResponseOf<'mindfulnessMinutes'>, void, undefined> {
  const seen = new Set<string>();
  let nextCursor: string | undefined;
  for (;;) {
    const page = await callService(
      'mindfulnessMinutes',
      { ...query, ...(nextCursor !== undefined && { nextCursor }) },
      signal,
    );
    yield page;
    nextCursor = page.value.next_cursor ?? undefined;
    if (nextCursor === undefined) return;
    if (nextCursor === '' || seen.has(nextCursor)) {
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'mindfulnessMinutes' });
    }
    seen.add(nextCursor);
  }
}
