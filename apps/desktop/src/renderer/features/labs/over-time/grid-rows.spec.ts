import { describe, expect, it } from '@jest/globals';
import type { BiomarkerResult, MissingBiomarkerResult } from '@caregate/domain';
import { createElement } from 'react';
import { renderMarkup, extractText } from '../../../ui/render.testing.ts';
import { Grid } from './grid.tsx';
import { buildGridRows, matchesFilter, groupRowsByPanel } from './grid-rows.ts';
import type { Column } from './grid-rows.ts';

const result = (name: string, value: number, more: Partial<BiomarkerResult> = {}) => ({
  ...{ name, slug: name.toLowerCase(), result: String(value), value, unit: 'mg/dL' },
  ...{ min_range_value: 1, max_range_value: 9 },
  ...more,
});
const column = (
  date: string,
  results: BiomarkerResult[],
  missing: MissingBiomarkerResult[] = [],
): Column => ({
  ...{ orderId: date, ordered: undefined, date, isPartial: false, findReplaced: () => undefined },
  result: { metadata: {}, results, missing_results: missing },
});
const rowsOf = (...columns: Column[]) => buildGridRows(columns, (key) => key);
const read = (...columns: Column[]) =>
  rowsOf(...columns).map(({ name, cells }) => [
    name,
    ...cells.map((cell) => (cell?.kind === 'result' ? cell.result.result : (cell?.kind ?? '–'))),
  ]);

describe('the rows of the grid', () => {
  it('have one test each, with a cell for each report', () => {
    const newest = column('2026-11-08', [result('Sodium', 5), result('Iron', 2)]);
    const older = column('2026-05-08', [result('Zinc', 3), result('Sodium', 4)]);
    expect(read(newest, older)).toEqual([
      ['Sodium', '5', '4'],
      ['Iron', '2', '–'],
      ['Zinc', '–', '3'],
    ]);
  });

  it('keep values in another unit apart', () => {
    const newest = column('2026-11-08', [result('Iron', 5)]);
    const older = column('2026-05-08', [result('Iron', 1, { unit: 'µmol/L' })]);
    expect(read(newest, older)).toEqual([
      ['Iron', '5', '–'],
      ['Iron', '–', '1'],
    ]);
  });

  it('keep results apart that nothing identifies', () => {
    const nameless = (value: number) => result('.', value, { slug: 'unknown' });
    const reports = ['2026-11-08', '2026-05-08'].map((date, at) => column(date, [nameless(at)]));
    expect(read(...reports)).toHaveLength(2);
  });

  it('have a missing result in the row of its test', () => {
    const iron = { name: 'Iron', slug: 'iron' };
    const newest = column('2026-11-08', [], [iron]);
    const older = column('2026-05-08', [result('Iron', 5)]);
    expect(read(newest, older)).toEqual([['Iron', 'missing', '5']]);
    expect(read(older, newest)).toEqual([['Iron', '5', 'missing']]);
  });

  it('are under the names of their panels, in the order of the newest report', () => {
    const of = (name: string, panel?: string) =>
      result(name, 5, panel === undefined ? {} : ({ panel: { name: panel } } as object));
    const newest = column('2026-11-08', [of('LDL', 'Lipids'), of('Sodium', 'Metabolic'), of('X')]);
    const older = column('2026-05-08', [of('HDL', 'Lipids')]);
    expect(
      groupRowsByPanel(rowsOf(newest, older)).map(({ panel, rows }) => [
        panel,
        rows.map(({ name }) => name),
      ]),
    ).toEqual([
      ['Lipids', ['LDL', 'HDL']],
      ['Metabolic', ['Sodium']],
      [undefined, ['X']],
    ]);
  });

  it('are filtered by whether the latest value, or any, is abnormal', () => {
    const [row] = rowsOf(
      column('2026-11-08', [result('Iron', 5)]),
      column('2026-05-08', [result('Iron', 12)]),
    );
    expect([
      matchesFilter(row!, 'all'),
      matchesFilter(row!, 'latest'),
      matchesFilter(row!, 'ever'),
    ]).toEqual([true, false, true]);
  });
});

describe('the grid', () => {
  const iron = result('Iron', 4);
  const newest = {
    ...column('2026-11-08', [result('Zinc', 12), iron]),
    findReplaced: (one: BiomarkerResult) => (one === iron ? result('Iron', 7) : undefined),
  };
  const odd = result('Zinc', 5, { interpretation: 'odd' });
  const partial = column('2026-05-08', [odd], [{ name: 'Iron', slug: 'iron' }]);
  const columns = [newest, { ...partial, isPartial: true }, column('2025-05-08', [])];
  const rows = buildGridRows(columns, (key) => key);
  const grid = createElement(Grid, { columns, rows, focused: undefined, onOpen: () => undefined });
  const shown = extractText(renderMarkup(grid))
    .replaceAll(/[\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ');

  it('has the newest date first, and says which report is partial', () => {
    expect(shown).toMatch(/11\/08\/2026 .* 05\/08\/2026 .* · Partial 05\/08\/2025/u);
  });

  it('flags each value by its own range, with a letter and a word', () => {
    expect(shown).toContain('Zinc 1–9 mg/dL Zinc, 11/08/2026 12 H High');
    expect(shown).toMatch(/Zinc, 05\/08\/2026 5 .*“odd”/u);
  });

  it('tells a corrected, a missing and a test that wasn’t ordered apart', () => {
    expect(shown).toMatch(/Iron, 11\/08\/2026 4 Corrected, was 7 Missing – Not ordered/u);
  });
});
