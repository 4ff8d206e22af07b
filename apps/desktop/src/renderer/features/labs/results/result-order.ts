import { readPanel } from '@caregate/domain';
import type { BiomarkerResult, MissingBiomarkerResult, Panel } from '@caregate/domain';
import { interpretResult } from './result-reading.ts';
import type { Reading } from './result-reading.ts';

/** `place` is the position in the laboratory's order. */
export interface ReadResult {
  readonly result: BiomarkerResult;
  readonly reading: Reading;
  readonly place: number;
}

export function readResults(results: readonly BiomarkerResult[]): readonly ReadResult[] {
  return results.map((result, place) => ({ result, reading: interpretResult(result), place }));
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
/** Groups whose results need attention. */
export const FLAGGED_GROUPS = GROUPS.slice(0, GROUPS.indexOf('missing') + 1);

export function getGroup({ flag }: Pick<Reading, 'flag'>): Group {
  if (flag === 'high' || flag === 'low') return 'outside';
  return flag === 'normal' ? 'inside' : flag;
}

function getRank(reading: Pick<Reading, 'flag'>): number {
  const group = getGroup(reading);
  return GROUPS.indexOf(group === 'noRange' ? 'notAssessed' : group);
}

export type SortOrder = 'urgent' | 'laboratory';

export function sortResults(
  results: readonly ReadResult[],
  order: SortOrder,
): readonly ReadResult[] {
  const comparePlaces = (a: ReadResult, b: ReadResult): number => a.place - b.place;
  if (order === 'laboratory') return results.toSorted(comparePlaces);
  return results.toSorted(
    (a, b) =>
      getRank(a.reading) - getRank(b.reading) ||
      compareDistances(a.reading, b.reading) ||
      comparePlaces(a, b),
  );
}

/** Results of one panel, or those without a panel. */
export interface PanelResults {
  readonly panel: Panel | undefined;
  readonly results: readonly ReadResult[];
  readonly missing: readonly MissingBiomarkerResult[];
}

/** `urgent`: flagged panels come first, and in each the flagged results. */
export function groupByPanel(
  results: readonly ReadResult[],
  missing: readonly MissingBiomarkerResult[],
  order: SortOrder,
): readonly PanelResults[] {
  const ranked = sortResults(results, order);
  const panels = new Map<string, Panel | undefined>();
  for (const one of [
    ...sortResults(results, 'laboratory').map(({ result }) => result),
    ...missing,
  ]) {
    panels.set(getPanelKey(readPanel(one)), readPanel(one));
  }
  const groups = [...panels].map(([key, panel]): PanelResults => ({
    panel,
    results: ranked.filter(({ result }) => getPanelKey(readPanel(result)) === key),
    missing: missing.filter((one) => getPanelKey(readPanel(one)) === key),
  }));
  return order === 'laboratory'
    ? groups
    : groups.toSorted((a, b) => getPanelRank(a) - getPanelRank(b));
}

function getPanelKey(panel: Panel | undefined): string {
  return JSON.stringify([panel?.code, panel?.name, panel?.number]);
}

function getPanelRank({ results, missing }: PanelResults): number {
  const ranks = results.map(({ reading }) => getRank(reading));
  return Math.min(...ranks, missing.length > 0 ? GROUPS.indexOf('missing') : GROUPS.length);
}

function compareDistances(a: Reading, b: Reading): number {
  // Infinity - Infinity would be NaN.
  return a.distance === b.distance || getGroup(a) !== 'outside' ? 0 : b.distance - a.distance;
}

export function countByGroup(
  results: readonly ReadResult[],
  missing: readonly MissingBiomarkerResult[] | null | undefined,
): Readonly<Record<Group, number>> {
  const counts = Object.fromEntries(GROUPS.map((group) => [group, 0])) as Record<Group, number>;
  for (const { reading } of results) counts[getGroup(reading)] += 1;
  counts.missing = missing?.length ?? 0;
  return counts;
}
