import { describe, expect, it } from '@jest/globals';
import type { BiomarkerResult, EarlierResult } from '@caregate/domain';
import { commonDate, comparableIn, earlierValuesIn, trendValues } from './earlier-values.ts';

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
  const earlierOf = earlierValuesIn({ biomarkers: [of(1, 'Potassium')] }, results);

  it('are those of the result that they were read for, and of no other', () => {
    expect(earlierOf(potassium)).toEqual([earlier('2026-05-12', { name: 'Potassium' })]);
    expect(earlierOf(sodium)).toEqual([]);
  });

  it('could be of a result that something identifies, and of no other', () => {
    const nameless = { ...sodium, name: '.' };
    const all = [sodium, potassium, nameless, { ...ldl }, { ...ldl }];
    expect(all.map(comparableIn(all))).toEqual([true, true, false, false, false]);
  });

  it('are none where the report is another version than the one they were read for', () => {
    const moved = earlierValuesIn({ biomarkers: [of(0, 'Potassium'), of(7, 'Sodium')] }, results);
    expect(results.map(moved)).toEqual([[], []]);
  });
});

describe('the values of a trend', () => {
  it('are in the order of time, the report’s own last, as the laboratory wrote them', () => {
    const found = [earlier('2026-05-12', { value: 118, result: '118' }), earlier('2025-09-19')];
    expect(
      trendValues(ldl, '2026-11-08', found).map(({ date, written }) => [date, written]),
    ).toEqual([
      ['2025-09-19', '128'],
      ['2026-05-12', '118'],
      ['2026-11-08', '128'],
    ]);
  });

  it('are none where there is no number to draw: now, or before', () => {
    expect(trendValues({ ...ldl, value: null }, '2026-11-08', [earlier('2026-05-12')])).toEqual([]);
    const text = earlier('2026-05-12', { value: null, result: 'NEGATIVE' });
    expect(trendValues(ldl, '2026-11-08', [text])).toEqual([]);
    const remark = earlier('2026-05-12', { type: 'comment' });
    expect(trendValues(ldl, '2026-11-08', [remark])).toEqual([]);
  });
});

describe('the day that heads previous values', () => {
  it('is that of most of them, of several the newest; none where there are none', () => {
    expect(commonDate(['2026-05-12', '2025-09-19', '2026-05-12'])).toBe('2026-05-12');
    expect(commonDate(['2025-09-19', '2026-05-12'])).toBe('2026-05-12');
    expect(commonDate([])).toBeUndefined();
  });
});
