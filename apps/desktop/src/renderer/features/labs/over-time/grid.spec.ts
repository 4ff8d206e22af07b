import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { BiomarkerResult, MissingBiomarkerResult } from '@caregate/domain';
import { markupOf, textOf } from '../../../ui/render.testing.ts';
import { Grid } from './grid.tsx';
import { gridRows } from './grid-rows.ts';
import type { Column } from './grid-rows.ts';

const result = (name: string, value: number, more: Partial<BiomarkerResult> = {}) => ({
  ...{ name, slug: name.toLowerCase(), result: String(value), value, unit: 'mg/dL' },
  ...{ min_range_value: 1, max_range_value: 9 },
  ...more,
});
const corrected = result('Iron', 4);
const column = (
  date: string,
  results: BiomarkerResult[],
  missing: MissingBiomarkerResult[] = [],
): Column => ({
  ...{ orderId: date, ordered: undefined, date, isPartial: results.length === 1 },
  wasOf: (one) => (one === corrected ? result('Iron', 7) : undefined),
  result: { metadata: { laboratory: 'Bluestone' }, results, missing_results: missing },
});
const columns = [
  column('2026-11-08', [result('Zinc', 12), corrected]),
  column(
    '2026-05-08',
    [result('Zinc', 5, { interpretation: 'odd' })],
    [{ name: 'Iron', slug: 'iron' }],
  ),
  column('2025-05-08', []),
];

function show(language: 'en' | 'es' | 'ar' = 'en'): string {
  const nothing = (): void => undefined;
  const grid = createElement(Grid, {
    columns,
    rows: gridRows(columns, (key) => key),
    focused: undefined,
    onOpen: nothing,
  });
  return textOf(markupOf(grid, language))
    .replaceAll(/[\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ');
}

describe('the grid', () => {
  const said = show();

  it('has the newest date first, with its laboratory, and what is partial', () => {
    expect(said).toMatch(/11\/08\/2026 Bluestone 05\/08\/2026 Bluestone · Partial 05\/08\/2025/u);
  });

  it('flags each value by its own range, with a letter and a word', () => {
    expect(said).toContain('Zinc 1 – 9 mg/dL Zinc, 11/08/2026 12 H High');
    expect(said).toMatch(/Zinc, 05\/08\/2026 5 .*“odd”/u);
  });

  it('tells what was corrected, what is missing and what wasn’t ordered apart', () => {
    expect(said).toMatch(/Iron, 11\/08\/2026 4 Corrected, was 7 Missing – Not ordered/u);
  });
});
