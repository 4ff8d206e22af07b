import {
  type BiomarkerResult,
  type EarlierResult,
  type LabOrderResult,
  readMeasuredNumber,
  type OrderHistory,
} from '@caregate/domain';
import { isFlagged, interpretResult } from '../results/result-reading.ts';

/** What a correction replaced: another result, or nothing if it added the result. */
export type Replaced = BiomarkerResult | 'added';

/** Returns earlier values in the same unit, newest first. */
export type FindEarlier = (result: BiomarkerResult) => readonly EarlierResult[];

/** @param results of the report. A result of another version than the history's has no earlier values. */
export function createFindEarlier(
  history: Pick<OrderHistory, 'biomarkers'>,
  results: readonly BiomarkerResult[],
): FindEarlier {
  const found = new Map(
    history.biomarkers.flatMap((one) => {
      const result = results[one.place];
      const isSameResult =
        result?.name === one.name &&
        result.slug === one.slug &&
        (result.loinc ?? '') === (one.loinc ?? '') &&
        (result.unit ?? '') === (one.unit ?? '');
      return isSameResult ? [[result, one.earlier] as const] : [];
    }),
  );
  return (result) => found.get(result) ?? [];
}

/** A value of one test in one report. */
export interface DatedValue {
  /** YYYY-MM-DD; empty if the report has no date. */
  readonly date: string;
  readonly measured: BiomarkerResult;
  /** Before a correction of that report. */
  readonly replaced?: Replaced | null | undefined;
  /** Only if that report was read. */
  readonly laboratory?: string | undefined;
}

/** A value that has both a number and a day. */
export interface Point extends DatedValue {
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Values with a number and a day, oldest first; empty if there are fewer than two. */
export function toPoints(values: readonly DatedValue[]): readonly Point[] {
  const points = values
    .flatMap((one): Point[] => {
      const value = readMeasuredNumber(one.measured);
      const at = Date.parse(one.date);
      return value === undefined || Number.isNaN(at) ? [] : [{ ...one, value, at }];
    })
    .toSorted((one, other) => one.at - other.at);
  return points.length < 2 ? [] : points;
}

/** @param values newest first */
export function findLastFlagged(values: readonly DatedValue[]): DatedValue | undefined {
  return values.find(({ measured }) => isFlagged(interpretResult(measured)));
}

export function getReportDate({ metadata }: Pick<LabOrderResult, 'metadata'>): string {
  return metadata.date_collected ?? metadata.date_received ?? metadata.date_reported ?? '';
}
