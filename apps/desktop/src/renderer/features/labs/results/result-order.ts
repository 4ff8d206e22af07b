import { readPanel } from '@caregate/domain';
import type { BiomarkerResult, MissingBiomarkerResult, Panel } from '@caregate/domain';
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
/** Groups whose results need attention. */
export const FLAGGED_GROUPS = GROUPS.slice(0, GROUPS.indexOf('missing') + 1);

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

/** Results of one panel, or those without a panel. */
export interface PanelResults {
  readonly panel: Panel | undefined;
  readonly results: readonly ReadResult[];
  readonly missing: readonly MissingBiomarkerResult[];
}

/** `urgent`: flagged panels come first, and in each the flagged results. */
export function byPanel(
  results: readonly ReadResult[],
  missing: readonly MissingBiomarkerResult[],
  order: SortOrder,
): readonly PanelResults[] {
  const ranked = sorted(results, order);
  const panels = new Map<string, Panel | undefined>();
  for (const one of [...sorted(results, 'laboratory').map(({ result }) => result), ...missing]) {
    panels.set(keyOf(readPanel(one)), readPanel(one));
  }
  const groups = [...panels].map(([key, panel]): PanelResults => ({
    panel,
    results: ranked.filter(({ result }) => keyOf(readPanel(result)) === key),
    missing: missing.filter((one) => keyOf(readPanel(one)) === key),
  }));
  return order === 'laboratory' ? groups : groups.toSorted((a, b) => panelRank(a) - panelRank(b));
}

function keyOf(panel: Panel | undefined): string {
  return JSON.stringify([panel?.code, panel?.name, panel?.number]);
}

function panelRank({ results, missing }: PanelResults): number {
  const ranks = results.map(({ reading }) => rankOf(reading));
  return Math.min(...ranks, missing.length > 0 ? GROUPS.indexOf('missing') : GROUPS.length);
}

function farther(a: Reading, b: Reading): number {
  // Infinity - Infinity would be NaN.
  return a.distance === b.distance || groupOf(a) !== 'outside' ? 0 : b.distance - a.distance;
}

export function summaryOf(
  results: readonly ReadResult[],
  missing: readonly MissingBiomarkerResult[] | null | undefined,
): Readonly<Record<Group, number>> {
  const counts = Object.fromEntries(GROUPS.map((group) => [group, 0])) as Record<Group, number>;
  for (const { reading } of results) counts[groupOf(reading)] += 1;
  counts.missing = missing?.length ?? 0;
  return counts;
}
