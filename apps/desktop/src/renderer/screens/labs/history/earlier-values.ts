import type { BiomarkerResult, EarlierResult, OrderHistory } from '@caregate/domain';
import { finite } from '../ranges/reference-range.ts';

/** Earlier values of a biomarker, newest first, of the same person and in the same unit. */
export type EarlierOf = (result: BiomarkerResult) => readonly EarlierResult[];

/** Finds each biomarker's earlier values in what the service answered. */
export function earlierValuesIn(history: Pick<OrderHistory, 'biomarkers'>): EarlierOf {
  const found = new Map(
    // Of two that are named the same the first counts, as in the report.
    history.biomarkers.toReversed().map((one) => [keyOf(one), one.earlier] as const),
  );
  return (result) => found.get(keyOf(result)) ?? none;
}

/** One and the same, so that a row that has none isn't drawn anew. */
const none: readonly EarlierResult[] = [];

function keyOf(of: Pick<BiomarkerResult, 'slug' | 'loinc' | 'unit'>): string {
  return JSON.stringify([of.slug, of.loinc ?? '', of.unit ?? '']);
}

/** A value with its day (YYYY-MM-DD). */
export interface DatedValue {
  readonly date: string;
  readonly value: number;
  /** As the laboratory wrote it. */
  readonly written: string;
}

/** Numbers to draw, oldest first and the report's own last; none where there are fewer than two. */
export function trendValues(
  result: BiomarkerResult,
  date: string,
  earlier: readonly EarlierResult[],
): readonly DatedValue[] {
  const before = earlier.toReversed().flatMap((one) => datedOf(one.measured, one.date));
  const own = datedOf(result, date);
  return own.length === 0 || before.length === 0 ? [] : [...before, ...own];
}

function datedOf(measured: BiomarkerResult, date: string): DatedValue[] {
  const isText = measured.type === 'comment' || measured.type === 'coded_value';
  const value = isText ? undefined : finite(measured.value);
  return value === undefined ? [] : [{ date, value, written: measured.result }];
}

/** The day of most previous values, which their column is headed by; undefined where there are none. */
export function commonDate(dates: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const date of dates) counts.set(date, (counts.get(date) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  // Of several the newest.
  return [...counts]
    .filter(([, count]) => count === most)
    .map(([date]) => date)
    .toSorted()
    .at(-1);
}
