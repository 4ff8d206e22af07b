import {
  type BiomarkerResult,
  type EarlierResult,
  type LabOrderResult,
  measuredNumber,
  type OrderHistory,
  testIdentities,
} from '@caregate/domain';

/** Newest first, in the same unit. */
export type EarlierOf = (result: BiomarkerResult) => readonly EarlierResult[];

/** @param results of the report; those of another version than the history was read for have none */
export function earlierValuesIn(
  history: Pick<OrderHistory, 'biomarkers'>,
  results: readonly BiomarkerResult[],
): EarlierOf {
  const found = new Map(
    history.biomarkers.flatMap((one) => {
      const result = results[one.place];
      const isThat =
        result?.name === one.name &&
        result.slug === one.slug &&
        (result.loinc ?? '') === (one.loinc ?? '') &&
        (result.unit ?? '') === (one.unit ?? '');
      return isThat ? [[result, one.earlier] as const] : [];
    }),
  );
  return (result) => found.get(result) ?? none;
}

/** Whether something identifies the test of a result, so that an earlier value could be found. */
export function comparableIn(
  results: readonly BiomarkerResult[],
): (result: BiomarkerResult) => boolean {
  const identities = testIdentities(results);
  const comparable = new Set(
    results.filter((_, place) =>
      Object.values(identities[place]?.unique ?? {}).some((member) => member !== undefined),
    ),
  );
  return (result) => comparable.has(result);
}

/** Stable, so that memoized rows don't render. */
const none: readonly EarlierResult[] = [];

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
