import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { readingOf } from './result-reading.ts';
import type { Reading } from './result-reading.ts';

/** `place` is the position in the laboratory's order. */
export interface ReadResult {
  readonly result: BiomarkerResult;
  readonly reading: Reading;
  readonly place: number;
}

export function readResults(results: readonly BiomarkerResult[]): readonly ReadResult[] {
  return results.map((result, place) => ({ result, reading: readingOf(result), place }));
}

/** Most urgent first; each result is in one group. Unknown interpretations follow critical ones. */
export const GROUPS = [
  'critical',
  'unrecognised',
  'conflict',
  'outside',
  'abnormal',
  'missing',
  'notAssessed',
  'noRange',
  'inside',
] as const;
export type Group = (typeof GROUPS)[number];

export const ALWAYS_SHOWN: ReadonlySet<Group> = new Set([
  'outside',
  'unrecognised',
  'missing',
  'inside',
]);

export function groupOf({ flag }: Pick<Reading, 'flag'>): Group {
  if (flag === 'high' || flag === 'low') return 'outside';
  return flag === 'normal' ? 'inside' : flag;
}

function rankOf(reading: Pick<Reading, 'flag'>): number {
  const group = groupOf(reading);
  return GROUPS.indexOf(group === 'noRange' ? 'notAssessed' : group);
}

export type SortOrder = 'urgent' | 'laboratory';

export function sorted(results: readonly ReadResult[], order: SortOrder): readonly ReadResult[] {
  const byPlace = (a: ReadResult, b: ReadResult): number => a.place - b.place;
  if (order === 'laboratory') return results.toSorted(byPlace);
  return results.toSorted(
    (a, b) =>
      rankOf(a.reading) - rankOf(b.reading) || farther(a.reading, b.reading) || byPlace(a, b),
  );
}

function farther(a: Reading, b: Reading): number {
  // Infinity - Infinity would be NaN.
  return a.distance === b.distance || groupOf(a) !== 'outside' ? 0 : b.distance - a.distance;
}

export function summaryOf(
  results: readonly ReadResult[],
  missing: LabOrderResult['missing_results'],
): Readonly<Record<Group, number>> {
  const counts = Object.fromEntries(GROUPS.map((group) => [group, 0])) as Record<Group, number>;
  for (const { reading } of results) counts[groupOf(reading)] += 1;
  counts.missing = missing?.length ?? 0;
  return counts;
}
