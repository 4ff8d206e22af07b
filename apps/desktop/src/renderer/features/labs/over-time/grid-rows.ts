import { isSameTest, readPanel, identifyTests } from '@caregate/domain';
import type {
  BiomarkerResult,
  LabOrderResult,
  MissingBiomarkerResult,
  Panel,
  TestIdentity,
} from '@caregate/domain';
import { getPanelLabel, createGetName } from '../results/result-names.ts';
import { isFlagged, interpretResult, type Reading } from '../results/result-reading.ts';
import type { Text } from '../../../i18n/text.tsx';
import type { Correction } from '../history/corrections.ts';
import type { Replaced } from '../history/earlier-values.ts';

/** A column of the table, which shows one report. */
export interface Column {
  readonly orderId: string;
  readonly ordered: string | null | undefined;
  /** YYYY-MM-DD; empty if the report has no date. */
  readonly date: string;
  readonly result: LabOrderResult;
  readonly isPartial: boolean;
  readonly findReplaced: Correction['findReplaced'];
}

export type Cell =
  | {
      readonly kind: 'result';
      readonly result: BiomarkerResult;
      readonly reading: Reading;
      readonly replaced: Replaced | undefined;
    }
  | { readonly kind: 'missing'; readonly missing: MissingBiomarkerResult };

/** A row of the table: one test in one unit, with a cell for each column. */
export interface GridRow {
  /** The index among all rows. */
  readonly place: number;
  readonly name: string;
  readonly panel: Panel | undefined;
  readonly cells: readonly (Cell | undefined)[];
}

interface Draft extends Omit<GridRow, 'place' | 'cells'> {
  /** Undefined while the test has only been reported as missing. */
  unit: string | undefined;
  readonly identity: TestIdentity | undefined;
  readonly cells: (Cell | undefined)[];
}

/**
 * Builds the rows from all reports. Values in different units are in separate rows. A result that can't be identified
 * in other reports also has its own row.
 *
 * @param columns newest first
 */
export function buildGridRows(columns: readonly Column[], text: Text): readonly GridRow[] {
  const drafts: Draft[] = [];
  for (const [column, { result, findReplaced }] of columns.entries()) {
    const getName = createGetName(result.results, text);
    const missing = result.missing_results ?? [];
    const found = [
      ...result.results.map((one) => ({
        ...{ name: getName(one), panel: readPanel(one), unit: one.unit ?? '' },
        cell: {
          kind: 'result',
          result: one,
          reading: interpretResult(one),
          replaced: findReplaced(one),
        } as const,
      })),
      ...missing.map((one) => ({
        ...{ name: one.name, panel: readPanel(one), unit: undefined },
        cell: { kind: 'missing', missing: one } as const,
      })),
    ];
    const identities = [
      ...identifyTests(result.results),
      ...identifyTests(missing.map((one) => ({ ...one, result: '' }))),
    ];
    for (const [index, { cell, ...test }] of found.entries()) {
      const identity = identities[index];
      let row = drafts.find(
        (one) => one.cells[column] === undefined && isSame(one, test.unit, identity),
      );
      if (row === undefined) {
        row = { ...test, identity, cells: columns.map(() => undefined) };
        drafts.push(row);
      }
      row.unit ??= test.unit;
      row.cells[column] = cell;
    }
  }
  return drafts.map(({ name, panel, cells }, place) => ({ place, name, panel, cells }));
}

function isSame(row: Draft, unit: string | undefined, identity: TestIdentity | undefined): boolean {
  return (
    identity !== undefined &&
    row.identity !== undefined &&
    isSameTest(row.identity, identity) &&
    (row.unit === undefined || unit === undefined || row.unit === unit)
  );
}

/** Groups rows by panel, in the order of the newest report. */
export function groupRowsByPanel(
  rows: readonly GridRow[],
): readonly { readonly panel: string | undefined; readonly rows: readonly GridRow[] }[] {
  const panels = new Map<string | undefined, GridRow[]>();
  for (const row of rows) {
    const label = getPanelLabel(row.panel);
    panels.set(label, [...(panels.get(label) ?? []), row]);
  }
  return [...panels].map(([panel, inPanel]) => ({ panel, rows: inPanel }));
}

type ResultCell = Extract<Cell, { kind: 'result' }>;

export function getResults({ cells }: GridRow): readonly ResultCell[] {
  return cells.filter((cell) => cell?.kind === 'result');
}

/**
 * `all` shows every row, `latest` those whose latest value is abnormal, and `ever` those with an abnormal value on any
 * date.
 */
export const FILTERS = ['all', 'latest', 'ever'] as const;
export type Filter = (typeof FILTERS)[number];

export function matchesFilter(row: GridRow, filter: Filter): boolean {
  const results = getResults(row);
  const checked = filter === 'latest' ? results.slice(0, 1) : results;
  return filter === 'all' || checked.some(({ reading }) => isFlagged(reading));
}
