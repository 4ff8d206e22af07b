import { readPanel } from '@caregate/domain';
import type { BiomarkerResult, MissingBiomarkerResult, Panel } from '@caregate/domain';
import { interpretResult, isFlagged, type Reading } from './result-reading.ts';

/** `place` is the index in the laboratory's order. */
export interface ReadResult {
  readonly result: BiomarkerResult;
  readonly reading: Reading;
  readonly place: number;
}

export function readResults(results: readonly BiomarkerResult[]): readonly ReadResult[] {
  return results.map((result, place) => ({ result, reading: interpretResult(result), place }));
}

/** Each result is in exactly one group. */
export const GROUPS = ['abnormal', 'missing', 'notAssessed', 'noRange', 'inside'] as const;
export type Group = (typeof GROUPS)[number];

/** The group `abnormal` has everything that needs attention, including unknown words. */
export function getGroup({ flag }: Pick<Reading, 'flag'>): Group {
  if (flag === 'normal') return 'inside';
  return flag === 'notAssessed' || flag === 'noRange' ? flag : 'abnormal';
}

const missingRank = 2;

function getRank(reading: Reading): number {
  if (reading.flag === 'critical') return 0;
  return isFlagged(reading) ? 1 : missingRank + 1;
}

export type SortOrder = 'urgent' | 'laboratory';

/** `urgent` sorts critical results first, then other abnormal ones. Otherwise the laboratory's order is kept. */
export function sortResults(
  results: readonly ReadResult[],
  order: SortOrder,
): readonly ReadResult[] {
  return results.toSorted(
    (a, b) =>
      (order === 'laboratory' ? 0 : getRank(a.reading) - getRank(b.reading)) || a.place - b.place,
  );
}

/** The results of one panel, or those without a panel. */
export interface PanelResults {
  readonly panel: Panel | undefined;
  readonly results: readonly ReadResult[];
  readonly missing: readonly MissingBiomarkerResult[];
}

/** `urgent` sorts panels with abnormal results first, then those with missing results. */
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
  return Math.min(...ranks, missing.length > 0 ? missingRank : missingRank + 1);
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
