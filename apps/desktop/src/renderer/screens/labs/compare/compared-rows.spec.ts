import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { BiomarkerResult } from '@caregate/domain';
import { comparedRows } from './compared-rows.ts';

const ldl = (value: number, more: Partial<BiomarkerResult> = {}): BiomarkerResult => ({
  ...{ name: 'LDL', slug: 'ldl', result: String(value), value, unit: 'mg/dL', max_range_value: 99 },
  ...more,
});
const culture = (result: string): BiomarkerResult => ({
  ...{ name: 'Culture', slug: 'culture', result, type: 'comment' },
});
const of = (...results: BiomarkerResult[]) => ({ results });
const kindOf = (...reports: Parameters<typeof comparedRows>[0]): string | undefined =>
  comparedRows(reports)[0]?.kind;

describe('a biomarker across reports', () => {
  it.each([
    ['crossed', [of(ldl(96)), of(ldl(104))]],
    ['crossed', [of(ldl(104)), of(), of(ldl(96))]],
    ['outside', [of(ldl(104)), of(ldl(128))]],
    ['notInEach', [of(ldl(104)), of()]],
    ['notInEach', [of(ldl(96)), of()]],
    ['inside', [of(ldl(90)), of(ldl(96))]],
    ['noRange', [of(ldl(90, { max_range_value: null })), of(ldl(9, { max_range_value: null }))]],
    ['words', [of(culture('No growth')), of(culture('Growth of E. coli'))]],
    ['words', [of(ldl(96)), of(ldl(2.4, { unit: 'mmol/L' }))]],
    ['noRange', [of(culture('No growth')), of(culture('No growth'))]],
    ['crossed', [of(ldl(96)), of(ldl(96, { interpretation: 'panic' as never }))]],
  ] as const)('is of the kind %s', (kind, reports) => {
    expect(kindOf(...reports)).toBe(kind);
  });

  it('is missing where the laboratory says so, and was not done where nobody does', () => {
    const missing_results = [{ name: 'LDL', slug: 'ldl' }];
    const [row] = comparedRows([of(), { results: [], missing_results }, of(ldl(96))]);
    expect(row?.cells.map(({ kind }) => kind)).toEqual(['absent', 'missing', 'measured']);
  });

  it('is corrected where one of its reports is, whatever else it is', () => {
    const corrected = ldl(96);
    const [row] = comparedRows([of(ldl(96)), of(corrected)], (one) => one === corrected);
    expect(row?.kind).toBe('corrected');
  });

  const results = fc.array(
    fc.record({
      name: fc.string(),
      slug: fc.constantFrom('a', 'b', 'c'),
      loinc: fc.constantFrom('1-1', '2-2', null),
      result: fc.string(),
    }),
    { maxLength: 6 },
  );

  it('has each result of each report once, in the report’s own column', () => {
    fc.assert(
      fc.property(fc.array(results, { minLength: 2, maxLength: 5 }), (all) => {
        const rows = comparedRows(all.map((each) => ({ results: each })));
        for (const [place, each] of all.entries()) {
          const shown = rows.flatMap(({ cells }) => {
            const cell = cells[place];
            return cell?.kind === 'measured' ? [cell.result] : [];
          });
          expect(new Set(shown)).toEqual(new Set(each));
          expect(shown).toHaveLength(each.length);
        }
      }),
    );
  });
});
