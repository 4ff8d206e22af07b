import type { User } from '@caregate/domain';
import type { ReadAnswer, ReadParams, Received } from '../../../shared/channels.ts';
import { callService, ServiceProblem } from '../../api/service-call.ts';
import { useRead } from '../../api/read.ts';
import type { Read } from '../../api/read.ts';
import { withPage } from './panels.ts';
import type { Panel } from './panels.ts';

export interface Days {
  readonly first: string;
  readonly last: string;
}

/** From where the day begins first on Earth to where it ends last, so that days are whole by any clock. */
function createSessionsQuery(userId: string, { first, last }: Days): Query {
  return { userId, startDate: shiftHours(first, -14), endDate: shiftHours(last, 24 + 12) };
}

export function usePanels(userId: string, days: Days, enabled: boolean): Read<readonly Panel[]> {
  return useRead(
    ['panels', userId, days.first, days.last],
    async ({ signal }) => {
      let panels: readonly Panel[] = [];
      let last: Omit<Received<unknown>, 'value'> | undefined;
      for await (const { value, ...page } of fetchMindfulnessPages(
        createSessionsQuery(userId, days),
        signal,
      )) {
        panels = withPage(panels, value);
        last = page;
      }
      if (last === undefined) throw new ServiceProblem({ kind: 'serverBroken' });
      return { ...last, value: panels };
    },
    { enabled },
  );
}

export function getDaysUntil(last: string, count: number): Days {
  return { first: shiftHours(last, -24 * (count - 1)).slice(0, 10), last };
}

/** The last 30 days until today, within the days of the patient's data. */
export function getLatestDays(
  { ingestion_start: start, ingestion_end: end }: Pick<User, 'ingestion_start' | 'ingestion_end'>,
  today: string,
): Days {
  const last = isDay(end) && end < today ? end : today;
  const { first } = getDaysUntil(last, 30);
  return { first: isDay(start) && start > first && start <= last ? start : first, last };
}

function isDay(text: string | null | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/u.test(text ?? '') && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

function shiftHours(day: string, hours: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000).toISOString();
}

type Query = Omit<ReadParams<'mindfulnessMinutes'>, 'nextCursor'>;

/** A repeated or empty cursor is a problem, never an endless loop. */
async function* fetchMindfulnessPages(
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<ReadAnswer<'mindfulnessMinutes'>, void, undefined> {
  const seenCursors = new Set<string>();
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
    if (nextCursor === '' || seenCursors.has(nextCursor)) {
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'mindfulnessMinutes' });
    }
    seenCursors.add(nextCursor);
  }
}
