import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { readingOf } from './result-reading.ts';
import type { FlagName, Reading } from './result-reading.ts';

/** `place` is the position in the laboratory's order. */
export interface ReadResult {
  readonly result: BiomarkerResult;
  readonly reading: Reading;
  readonly place: number;
}

export function readResults(results: readonly BiomarkerResult[]): readonly ReadResult[] {
  return results.map((result, place) => ({ result, reading: readingOf(result), place }));
}

/** Lower is shown first. What isn't understood or contradicts itself follows what is critical. */
const ranks: Readonly<Record<FlagName, number>> = {
  critical: 0,
  unrecognised: 1,
  conflict: 2,
  high: 3,
  low: 3,
  abnormal: 4,
  notAssessed: 5,
  noRange: 5,
  normal: 6,
};

function rankOf({ flag }: Pick<Reading, 'flag'>): number {
  return ranks[flag];
}

export type SortOrder = 'urgent' | 'laboratory';

/** Stable: equal results keep the laboratory's order. */
export function sorted(results: readonly ReadResult[], order: SortOrder): readonly ReadResult[] {
  if (order === 'laboratory') return results.toSorted((a, b) => a.place - b.place);
  return results.toSorted((a, b) => {
    const byRank = rankOf(a.reading) - rankOf(b.reading);
    if (byRank !== 0) return byRank;
    return farther(a.reading, b.reading) || a.place - b.place;
  });
}

function farther(a: Reading, b: Reading): number {
  // Infinity - Infinity would be NaN.
  return a.distance === b.distance || rankOf(a) !== ranks.high ? 0 : b.distance - a.distance;
}

/** Each result is in one group; each group is a filter. */
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

/** Printed even with a count of 0. */
export const ALWAYS_SHOWN: ReadonlySet<Group> = new Set([
  'outside',
  'unrecognised',
  'missing',
  'inside',
]);

const groups: Readonly<Record<FlagName, Group>> = {
  unrecognised: 'unrecognised',
  critical: 'critical',
  conflict: 'conflict',
  high: 'outside',
  low: 'outside',
  abnormal: 'abnormal',
  notAssessed: 'notAssessed',
  noRange: 'noRange',
  normal: 'inside',
};

export function groupOf({ flag }: Pick<Reading, 'flag'>): Group {
  return groups[flag];
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
