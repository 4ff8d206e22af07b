import {
  type BiomarkerResult,
  type EarlierResult,
  type LabOrderResult,
  readMeasuredNumber,
  type OrderHistory,
} from '@caregate/domain';
import { isFlagged, interpretResult } from '../results/result-reading.ts';

/** The result before a correction, or `added` if the correction added the result. */
export type Replaced = BiomarkerResult | 'added';

/** Returns the earlier values of a test in the same unit, newest first. */
export type FindEarlier = (result: BiomarkerResult) => readonly EarlierResult[];

/** @param results the results of the report. If the history belongs to another version, they have no earlier values. */
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

/** One test's value in one report. */
export interface DatedValue {
  /** YYYY-MM-DD; empty if the report has no date. */
  readonly date: string;
  readonly measured: BiomarkerResult;
  /** The result before a correction of the same report. */
  readonly replaced?: Replaced | null | undefined;
  /** Known only if the report was read. */
  readonly laboratory?: string | undefined;
}

/** A value that has both a number and a date. */
export interface Point extends DatedValue {
  readonly value: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Returns the values with a number and a date, oldest first. Fewer than two values can't form a chart, so the list is
 * empty.
 */
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
