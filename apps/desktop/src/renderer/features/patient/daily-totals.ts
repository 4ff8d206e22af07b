import type { MindfulnessMinutesPoint } from '@caregate/domain';

export interface DayTotal {
  /** YYYY-MM-DD, as the session's own clock showed it. */
  readonly day: string;
  readonly minutes: number;
}

/** A session counts for the day on which it began, by its own offset. Days are in order. */
export function computeDailyTotals(
  points: readonly MindfulnessMinutesPoint[],
): readonly DayTotal[] {
  const days = new Map<string, number[]>();
  for (const { start, value } of points) {
    const day = start.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), value]);
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, values]) => ({ day, minutes: sum(values) }));
}

/** Compensated (Neumaier), so that many fractions add up. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let compensation = 0;
  for (const value of values) {
    const next = total + value;
    compensation +=
      Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + compensation;
}
