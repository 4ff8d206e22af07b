import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { readingOf } from './result-reading.ts';
import type { FlagName, Reading } from './result-reading.ts';

/** A result with what it says; `place` is its place in the laboratory's order. */
export interface ReadResult {
  readonly result: BiomarkerResult;
  readonly reading: Reading;
  readonly place: number;
}

export function readResults(results: readonly BiomarkerResult[]): readonly ReadResult[] {
  return results.map((result, place) => ({ result, reading: readingOf(result), place }));
}

/** Lower is shown first, after what is missing. What isn't understood, or contradicts itself, follows what is critical. */
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

/** Most urgent first, or as the laboratory has it. Results that are equal stay in the laboratory's order. */
export function sorted(results: readonly ReadResult[], order: SortOrder): readonly ReadResult[] {
  if (order === 'laboratory') return results.toSorted((a, b) => a.place - b.place);
  return results.toSorted((a, b) => {
    const byRank = rankOf(a.reading) - rankOf(b.reading);
    if (byRank !== 0) return byRank;
    return farther(a.reading, b.reading) || a.place - b.place;
  });
}

function farther(a: Reading, b: Reading): number {
  // Two that are infinitely far would differ by NaN.
  return a.distance === b.distance || rankOf(a) !== ranks.high ? 0 : b.distance - a.distance;
}

/** The groups of the summary line: each result is in one, and each is a filter. */
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

/** Printed also where there are none of them, so that nobody has to wonder. */
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

/** How many there are in each group: together all results, measured and missing. */
export function summaryOf(
  results: readonly ReadResult[],
  missing: LabOrderResult['missing_results'],
): Readonly<Record<Group, number>> {
  const counts = Object.fromEntries(GROUPS.map((group) => [group, 0])) as Record<Group, number>;
  for (const { reading } of results) counts[groupOf(reading)] += 1;
  counts.missing = missing?.length ?? 0;
  return counts;
}
