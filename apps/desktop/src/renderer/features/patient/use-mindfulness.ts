import { isCalendarDate, type GroupedMindfulnessMinutes, type User } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { callService, ServiceProblem } from '../../api/service-call.ts';
import { useRead, type Read } from '../../api/read.ts';

export interface Days {
  readonly first: string;
  readonly last: string;
}

export interface SourceMinutes {
  readonly provider: string;
  /** The minutes by day, as YYYY-MM-DD. */
  readonly minutes: ReadonlyMap<string, number>;
}

export function useMindfulness(
  userId: string,
  days: Days,
  enabled: boolean,
): Read<readonly SourceMinutes[]> {
  return useRead(
    ['mindfulness', userId, days.first, days.last],
    async ({ signal }) => {
      const answer = await fetchPages(userId, days, signal);
      return { ...answer, value: sumByDay(answer.value, days) };
    },
    { enabled },
  );
}

/** Sums the minutes by day for each source. Sources are never added up, since two may have measured the same minutes. */
export function sumByDay(
  pages: readonly GroupedMindfulnessMinutes[],
  { first, last }: Days,
): readonly SourceMinutes[] {
  const sources = new Map<string, { provider: string; minutes: Map<string, number> }>();
  for (const { groups } of pages) {
    for (const [provider, list] of Object.entries(groups)) {
      for (const { data, source } of list) {
        const key = JSON.stringify([provider, source.provider, source.type]);
        const { minutes } = sources.get(key) ?? { minutes: new Map<string, number>() };
        sources.set(key, { provider, minutes });
        for (const { start, value } of data) {
          // The day counts by the local time of the measurement.
          const day = start.slice(0, 10);
          if (day >= first && day <= last) minutes.set(day, (minutes.get(day) ?? 0) + value);
        }
      }
    }
  }
  return [...sources.values()];
}

export function getDaysUntil(last: string, count: number): Days {
  return { first: shiftHours(last, -24 * (count - 1)).slice(0, 10), last };
}

/** Returns the last 30 days until today, limited to the days of the patient's data. */
export function getLatestDays(
  { ingestion_start: start, ingestion_end: end }: Pick<User, 'ingestion_start' | 'ingestion_end'>,
  today: string,
): Days {
  const last = end && isCalendarDate(end) && end < today ? end : today;
  const { first } = getDaysUntil(last, 30);
  const isLater = start && isCalendarDate(start) && start > first && start <= last;
  return { first: isLater ? start : first, last };
}

function shiftHours(day: string, hours: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000).toISOString();
}

/** Reads all pages. A repeated or empty cursor is reported as a problem, so that the loop ends. */
async function fetchPages(
  userId: string,
  { first, last }: Days,
  signal: AbortSignal,
): Promise<Received<readonly GroupedMindfulnessMinutes[]>> {
  // The range starts in the easternmost time zone and ends in the westernmost one, so that each day is complete.
  const query = { userId, startDate: shiftHours(first, -14), endDate: shiftHours(last, 24 + 12) };
  const pages: GroupedMindfulnessMinutes[] = [];
  const seenCursors = new Set(['']);
  let cursor: string | undefined;
  for (;;) {
    const page = await callService(
      'mindfulnessMinutes',
      { ...query, ...(cursor !== undefined && { nextCursor: cursor }) },
      signal,
    );
    pages.push(page.value);
    cursor = page.value.next_cursor ?? undefined;
    if (cursor === undefined) return { ...page, value: pages };
    if (seenCursors.has(cursor)) {
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'mindfulnessMinutes' });
    }
    seenCursors.add(cursor);
  }
}
