import { describe, expect, it } from '@jest/globals';
import type { BiomarkerResult, EarlierResult } from '@caregate/domain';
import { createFindEarlier, findLastFlagged, toPoints } from './earlier-values.ts';

const ldl: BiomarkerResult = {
  name: 'LDL',
  slug: 'ldl',
  loinc: '13457-7',
  result: '128',
  value: 128,
};
const earlier = (date: string, changes: Partial<BiomarkerResult> = {}): EarlierResult => ({
  order_id: '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10',
  date,
  measured: { ...ldl, ...changes },
});

describe('earlier values', () => {
  const sodium = { name: 'Sodium', slug: 'unknown', result: '137', unit: 'mmol/L' };
  const potassium = { ...sodium, name: 'Potassium', result: '5.9' };
  const results = [sodium, potassium];
  const of = (place: number, name: string) => ({
    ...{ place, name, slug: 'unknown', unit: 'mmol/L', loinc: null },
    earlier: [earlier('2026-05-12', { name })],
  });
  const findEarlier = createFindEarlier({ biomarkers: [of(1, 'Potassium')] }, results);

  it('belong to the result they were read for', () => {
    expect(findEarlier(potassium)).toEqual([earlier('2026-05-12', { name: 'Potassium' })]);
    expect(findEarlier(sodium)).toEqual([]);
  });

  it('are empty for another version of the report', () => {
    const moved = createFindEarlier({ biomarkers: [of(0, 'Potassium'), of(7, 'Sodium')] }, results);
    expect(results.map(moved)).toEqual([[], []]);
  });
});

describe('the points of a chart', () => {
  const dated = (date: string, changes: Partial<BiomarkerResult> = {}) => ({
    date,
    measured: { ...ldl, ...changes },
  });

  it('are in chronological order', () => {
    const found = [dated('2026-11-08'), dated('2026-05-12', { value: 118 }), dated('2025-09-19')];
    expect(toPoints(found).map(({ date, value }) => [date, value])).toEqual([
      ['2025-09-19', 128],
      ['2026-05-12', 118],
      ['2026-11-08', 128],
    ]);
  });

  it('need two values with a number and a day', () => {
    const now = dated('2026-11-08');
    const without = [
      dated('2026-05-12', { value: null, result: 'NEGATIVE' }),
      dated('2026-05-11', { type: 'comment' }),
      dated(''),
    ];
    expect(toPoints([now, ...without])).toEqual([]);
    expect(toPoints([now, ...without, dated('2025-09-19')])).toHaveLength(2);
  });
});

describe('the last abnormal value', () => {
  const of = (date: string, interpretation: string) => ({
    date,
    measured: { ...ldl, interpretation },
  });

  it('is the newest with a flag or an unknown word', () => {
    const values = [
      of('2026-11-08', 'normal'),
      of('2026-05-12', 'panic'),
      of('2025-09-19', 'abnormal'),
    ];
    expect(findLastFlagged(values)?.date).toBe('2026-05-12');
    expect(findLastFlagged(values.slice(0, 1))).toBeUndefined();
  });
});
