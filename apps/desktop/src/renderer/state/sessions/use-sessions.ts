import { useCallback, useEffect, useRef, useState } from 'react';
import type { User } from '@caregate/domain';
import type { Received, RequestOf, ResponseOf } from '../../../bridge/channels.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { callService, problemOf, ServiceProblem } from '../service-call.ts';
import { useRead } from '../read.ts';
import type { Read } from '../read.ts';
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
    for await (const page of mindfulnessPages(queryOf(userId, { first, last }), signal)) {
      const { value, receivedAt, auditId } = page;
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

/** From where the day begins first on Earth to where it ends last, so that days are whole by any clock. */
function queryOf(userId: string, { first, last }: Days): Query {
  return { userId, startDate: shifted(first, -14), endDate: shifted(last, 24 + 12) };
}

export function usePanels(userId: string, days: Days, enabled: boolean): Read<readonly Panel[]> {
  return useRead(
    ['panels', userId, days.first, days.last],
    async ({ signal }) => {
      let panels: readonly Panel[] = [];
      let last: Omit<Received<unknown>, 'value'> | undefined;
      for await (const { value, ...page } of mindfulnessPages(queryOf(userId, days), signal)) {
        panels = withPage(panels, value);
        last = page;
      }
      if (last === undefined) throw new ServiceProblem({ kind: 'serverBroken' });
      return { ...last, value: panels };
    },
    { enabled },
  );
}

export function daysUntil(last: string, count: number): Days {
  const first = new Date(Date.parse(`${last}T00:00:00Z`) - (count - 1) * 86_400_000);
  return { first: first.toISOString().slice(0, 10), last };
}

export function latestDays(
  { ingestion_start: start, ingestion_end: end }: Pick<User, 'ingestion_start' | 'ingestion_end'>,
  count: number,
  today: string,
): Days {
  const { first, last } = daysUntil(isDay(end) && end < today ? end : today, count);
  return { first: isDay(start) && start > first && start <= last ? start : first, last };
}

function isDay(text: string | null | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/u.test(text ?? '') && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
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
