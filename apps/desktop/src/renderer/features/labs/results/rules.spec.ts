import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { BIOMARKER_TYPES, INTERPRETATIONS } from '@caregate/domain';
import type { BiomarkerResult } from '@caregate/domain';
import type { Text } from '../../../i18n/text.tsx';
import { computeRangeBar } from './range-bar.tsx';
import { formatRange } from './reference-range.ts';
import { createGetName } from './result-names.ts';
import {
  groupByPanel,
  GROUPS,
  getGroup,
  readResults,
  sortResults,
  countByGroup,
} from './result-order.ts';
import { interpretResult } from './result-reading.ts';
import type { Conflict, FlagName, Reading } from './result-reading.ts';

const glucose: BiomarkerResult = {
  name: 'Glucose',
  slug: 'glucose',
  result: '90',
  value: 90,
  min_range_value: 70,
  max_range_value: 99,
};

const noRange = { min_range_value: null, max_range_value: null };
const normal = { interpretation: 'normal' };
const words = { value: null, result: 'NEGATIVE' };
const range = (reference_range: string) => ({ reference_range }) as Partial<BiomarkerResult>;
const is = (value: number): Partial<BiomarkerResult> => ({ value, result: String(value) });

function read(changes: Partial<BiomarkerResult>): Reading {
  return interpretResult({ ...glucose, ...changes });
}

describe('the reading of a result', () => {
  it.each<[name: string, Partial<BiomarkerResult>, flag: FlagName, direction?: 'high' | 'low']>([
    ['inside its range', {}, 'normal'],
    ['on the upper bound', is(99), 'normal'],
    ['above its range', is(120), 'high', 'high'],
    ['below its range', is(50), 'low', 'low'],
    ['critical and above', { ...is(500), interpretation: 'critical' }, 'critical', 'high'],
    ['abnormal without a direction', { interpretation: 'abnormal' }, 'abnormal'],
    ['of text in a range', words, 'notAssessed'],
    ['that the laboratory has not assessed', { interpretation: 'unknown' }, 'notAssessed'],
    ['without a range', noRange, 'noRange'],
    [
      'without a range, flagged neither above nor below it',
      { ...noRange, is_above_max_range: false, is_below_min_range: false },
      'noRange',
    ],
    ['without a range, called normal', { ...noRange, interpretation: 'normal' }, 'noRange'],
    ['without a range, flagged above', { ...noRange, is_above_max_range: true }, 'high', 'high'],
    ['of an unknown reading', { interpretation: 'panic' }, 'unrecognised'],
    ['of a reading in capitals', { interpretation: 'NORMAL' }, 'unrecognised'],
    ['of an empty reading', { interpretation: '' }, 'unrecognised'],
    ['of an unknown type', { type: 'culture' }, 'unrecognised'],
    ['of text, flagged above', { ...words, is_above_max_range: true }, 'high', 'high'],
    ['of text, called normal', { ...words, interpretation: 'normal' }, 'normal'],
    ['of text without anything', { ...noRange, ...words }, 'noRange'],
    [
      'of text, with −1 as a placeholder',
      { ...normal, type: 'range', result: '<99', value: -1 },
      'normal',
    ],
    ['flagged above at the bound', { ...is(99), is_above_max_range: true }, 'high', 'high'],
    ['flagged below at the bound', { ...is(70), is_below_min_range: true }, 'low', 'low'],
    ['in a range of words', { ...noRange, ...words, ...range('NEGATIVE') }, 'notAssessed'],
    ['with an empty text for a range', { ...noRange, ...words, ...range(' ') }, 'noRange'],
  ])('%s', (_name, changes, flag, ...[direction]) => {
    expect(read(changes)).toMatchObject({ flag, direction });
  });

  it.each<[name: string, Partial<BiomarkerResult>, Conflict]>([
    ['both flags are set', { is_above_max_range: true, is_below_min_range: true }, 'bothSides'],
    ['the range is reversed', { min_range_value: 99, max_range_value: 70 }, 'rangeReversed'],
    ['a flag says above and the number not', { is_above_max_range: true }, 'flagAgainstNumbers'],
    ['a flag denies it', { ...is(5), is_below_min_range: false }, 'flagAgainstNumbers'],
    ['outside is called normal', { ...is(120), interpretation: 'normal' }, 'readingAgainstFlags'],
    ['result and value differ', { result: '9.0' }, 'resultAgainstValue'],
  ])('is a conflict where %s', (_name, changes, conflict) => {
    const { flag, conflicts } = read(changes);
    expect(flag).toBe('conflict');
    expect(conflicts).toContain(conflict);
  });

  it('accepts a rounded result', () => {
    expect(read({ result: '90.1', value: 90.14 }).conflicts).toEqual([]);
  });
});

const known = <T>(values: Readonly<Record<string, T>>): fc.Arbitrary<T> =>
  fc.constantFrom(...Object.values(values));
const open = (values: Readonly<Record<string, string>>): fc.Arbitrary<string | null | undefined> =>
  fc.oneof(known(values), known(values), fc.string(), fc.constant(null), fc.constant(undefined));
const number = fc.option(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true })));
const flag = fc.option(fc.boolean());
const results: fc.Arbitrary<BiomarkerResult> = fc.record(
  {
    name: fc.string(),
    slug: fc.string(),
    result: fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('NEGATIVE', '>100')),
    value: number,
    type: open(BIOMARKER_TYPES),
    min_range_value: number,
    max_range_value: number,
    is_above_max_range: flag,
    is_below_min_range: flag,
    interpretation: open(INTERPRETATIONS),
  },
  { requiredKeys: ['name', 'slug', 'result'] },
) as fc.Arbitrary<BiomarkerResult>;

const isKnown = (value: string | null | undefined, values: object): boolean =>
  value === null || value === undefined || Object.values(values).includes(value);

describe('1,000 generated payloads', () => {
  it('are never normal with an unknown value, an alarm or a contradiction', () => {
    fc.assert(
      fc.property(results, (result) => {
        const reading = interpretResult(result);
        if (reading.flag !== 'normal') return;
        expect(isKnown(result.interpretation, INTERPRETATIONS)).toBe(true);
        expect(isKnown(result.type, BIOMARKER_TYPES)).toBe(true);
        expect(['normal', null, undefined]).toContain(result.interpretation);
        expect(result.is_above_max_range).not.toBe(true);
        expect(result.is_below_min_range).not.toBe(true);
        expect([undefined, 'inside']).toContain(reading.side);
        expect(reading.conflicts).toEqual([]);
        expect(reading.range.kind).not.toBe('none');
        const evidence = [
          result.interpretation === 'normal',
          reading.side === 'inside',
          result.is_above_max_range === false && result.is_below_min_range === false,
        ];
        expect(evidence).toContain(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('are in one group each, and all remain in any order', () => {
    fc.assert(
      fc.property(fc.array(results, { maxLength: 40 }), (list) => {
        const all = readResults(list);
        const counts = countByGroup(all, null);
        const total = GROUPS.reduce((sum, group) => sum + counts[group], 0);
        expect(total).toBe(list.length);
        const urgent = sortResults(all, 'urgent');
        expect(sortResults(urgent, 'laboratory')).toEqual(all);
        const firstOther = urgent.findIndex(({ reading }) => getGroup(reading) !== 'abnormal');
        const after = firstOther === -1 ? [] : urgent.slice(firstOther);
        expect(after.every(({ reading }) => getGroup(reading) !== 'abnormal')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('have bars within their bounds, with the marker of a value in range inside the band', () => {
    fc.assert(
      fc.property(results, (result) => {
        const { range, side } = interpretResult(result);
        const bar = computeRangeBar(result.value ?? undefined, range);
        if (bar === undefined) return;
        for (const place of [bar.from, bar.to, bar.marker]) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(100);
        }
        const inBand = bar.marker >= bar.from - 1e-6 && bar.marker <= bar.to + 1e-6;
        if (side === 'inside') expect(inBand).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('results in order of urgency', () => {
  it('are critical, then abnormal in any way, then all others, each in the laboratory’s order', () => {
    const list = [
      { ...glucose, name: 'normal' },
      { ...glucose, name: 'unjudged', min_range_value: null, max_range_value: null },
      { ...glucose, name: 'abnormal', interpretation: 'abnormal' },
      { ...glucose, name: 'high', value: 100, result: '100' },
      { ...glucose, name: 'contradictory', is_above_max_range: true },
      { ...glucose, name: 'strange', interpretation: 'odd' },
      { ...glucose, name: 'critical', interpretation: 'critical' },
    ];
    const names = sortResults(readResults(list), 'urgent').map(({ result }) => result.name);
    expect(names).toEqual([
      ...['critical', 'abnormal', 'high', 'contradictory', 'strange'],
      ...['normal', 'unjudged'],
    ]);
  });
});

describe('results under their panels', () => {
  const lipids = { name: 'Lipid panel' };
  const metabolic = { name: 'Metabolic panel' };
  const list = [
    { ...glucose, name: 'Glucose', panel: metabolic },
    { ...glucose, name: 'HDL', panel: lipids },
    { ...glucose, name: 'LDL', value: 120, result: '120', panel: lipids },
    { ...glucose, name: 'TSH' },
  ];
  const missing = [{ name: 'Calcium', slug: 'ca', panel: metabolic }];
  const shown = (order: 'urgent' | 'laboratory') =>
    groupByPanel(readResults(list), missing, order).map(({ panel, results, missing: absent }) => [
      panel?.name,
      ...results.map(({ result }) => result.name),
      ...absent.map(({ name }) => name),
    ]);

  it('have flagged panels first, and in each the flagged results', () => {
    expect(shown('urgent')).toEqual([
      ['Lipid panel', 'LDL', 'HDL'],
      ['Metabolic panel', 'Glucose', 'Calcium'],
      [undefined, 'TSH'],
    ]);
  });

  it('have the laboratory’s order if that is chosen', () => {
    expect(shown('laboratory')).toEqual([
      ['Metabolic panel', 'Glucose', 'Calcium'],
      ['Lipid panel', 'HDL', 'LDL'],
      [undefined, 'TSH'],
    ]);
  });
});

describe('the bar', () => {
  it('has its marker in a range whose width overflows', () => {
    const widest = { kind: 'between', min: -Number.MAX_VALUE, max: Number.MAX_VALUE } as const;
    expect(computeRangeBar(0, widest)?.marker).toBe(50);
    expect(computeRangeBar(Number.MAX_VALUE, widest)?.marker).toBe(80);
  });

  it('is open on the side without a bound', () => {
    const upTo = computeRangeBar(10, { kind: 'upTo', max: 1 });
    expect(upTo).toMatchObject({ from: 0, to: 80, marker: 95 });
    const from = computeRangeBar(50, { kind: 'from', min: 40 });
    expect(from).toMatchObject({ from: 20, to: 100 });
  });

  it('is not drawn without a number or a range, or for a reversed range', () => {
    expect(computeRangeBar(undefined, { kind: 'upTo', max: 1 })).toBeUndefined();
    expect(computeRangeBar(1, { kind: 'none' })).toBeUndefined();
    expect(computeRangeBar(1, { kind: 'broken', min: 2, max: 1 })).toBeUndefined();
  });
});

it('writes a range as the laboratory does, if it sent that', () => {
  const textOf = (more: object): string => formatRange(read(more).range, (key) => key);
  expect(textOf({ reference_range: '<99' })).toBe('<99');
  expect(textOf({})).toBe('range.between');
});

describe('the names of results', () => {
  const text: Text = (key, values) => `${key}(${Object.values(values ?? {}).join('|')})`;
  const glucose = (panel: object | undefined, more: object = {}): BiomarkerResult => ({
    ...{ name: 'Glucose', slug: 'glucose', result: '5' },
    ...(panel && { panel }),
    ...more,
  });
  const shown = (...results: BiomarkerResult[]): string[] =>
    results
      .map(createGetName(results, text))
      .map((name) => name.replaceAll(/[\u2066-\u2069]/gu, ''));

  it('have their panel only if several panels have the name', () => {
    const [fasting, later] = [{ code: 'F', name: 'Fasting' }, { code: '2H' }];
    expect(shown(glucose(fasting), glucose(later), glucose(later, { name: 'Iron' }))).toEqual([
      'labs.inPanel(Glucose|Fasting)',
      'labs.inPanel(Glucose|2H)',
      'Iron',
    ]);
    expect(shown(glucose(fasting))).toEqual(['Glucose']);
    expect(shown(glucose(fasting), glucose(undefined))).toEqual([
      'labs.inPanel(Glucose|Fasting)',
      'Glucose',
    ]);
  });

  it('have the number of a panel that was done twice', () => {
    const of = (number: string): BiomarkerResult => glucose({ name: 'OGTT', number });
    expect(shown(of('1'), of('2'))).toEqual([
      'labs.inPanel(Glucose|OGTT 1)',
      'labs.inPanel(Glucose|OGTT 2)',
    ]);
  });
});
