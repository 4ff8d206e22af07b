import {
  type BiomarkerResult,
  type EarlierResult,
  type LabOrderResult,
  measuredNumber,
  type OrderHistory,
} from '@caregate/domain';

/** Newest first, in the same unit. */
export type EarlierOf = (result: BiomarkerResult) => readonly EarlierResult[];

export function earlierValuesIn(history: Pick<OrderHistory, 'biomarkers'>): EarlierOf {
  const found = new Map(
    // The first of two with one name wins, as in the report.
    history.biomarkers.toReversed().map((one) => [keyOf(one), one.earlier] as const),
  );
  return (result) => found.get(keyOf(result)) ?? none;
}

/** Stable, so that memoized rows don't render. */
const none: readonly EarlierResult[] = [];

function keyOf(of: Pick<BiomarkerResult, 'slug' | 'loinc' | 'unit'>): string {
  return JSON.stringify([of.slug, of.loinc ?? '', of.unit ?? '']);
}

export interface DatedValue {
  readonly date: string;
  readonly value: number;
  readonly written: string;
}

/** Oldest first, the report's own last; empty if fewer than two. */
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
  const value = measuredNumber(measured);
  return value === undefined ? [] : [{ date, value, written: measured.result }];
}

export function commonDate(dates: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const date of dates) counts.set(date, (counts.get(date) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts]
    .filter(([, count]) => count === most)
    .map(([date]) => date)
    .toSorted()
    .at(-1);
}

export function dateOf({ metadata }: LabOrderResult): string {
  return metadata.date_collected ?? metadata.date_received ?? metadata.date_reported ?? '';
}
