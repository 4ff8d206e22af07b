import { describe, expect, it } from '@jest/globals';
import type { BiomarkerResult } from '../generated/types.ts';
import { isSameTest, identifyTests, identifyVersionTests } from './same-test.ts';

const measured = (name: string, slug: string, more: object = {}): BiomarkerResult => ({
  ...{ name, slug, result: '1', unit: 'mmol/L' },
  ...more,
});

/** For each result of the one report, the names of the same test in the other. */
function found(
  one: readonly BiomarkerResult[],
  other: readonly BiomarkerResult[],
  identities = identifyTests,
): string[][] {
  const others = identities(other);
  return identities(one).map((identity) =>
    other.filter((_, place) => isSameTest(identity, others[place]!)).map(({ name }) => name),
  );
}

describe('the same test in two reports', () => {
  it.each(['unknown', '', '.', 'N/A', 'UNKNOWN', ' '])(
    'is not told by the slug %j, but by name and unit',
    (slug) => {
      const report = [measured('Sodium', slug), measured('Potassium', slug)];
      expect(found(report, report)).toEqual([['Sodium'], ['Potassium']]);
      expect(found([report[1]!], [report[0]!])).toEqual([[]]);
      expect(found([report[1]!], [measured('Potassium', slug, { unit: 'mg/dL' })])).toEqual([[]]);
    },
  );

  it('is not told by a slug that occurs twice in either report', () => {
    const twice = [measured('Sodium', 'ion'), measured('Potassium', 'ion')];
    expect(found(twice, twice)).toEqual([['Sodium'], ['Potassium']]);
    expect(found([measured('Chloride', 'ion')], twice)).toEqual([[]]);
    expect(found(twice, [measured('Chloride', 'ion')])).toEqual([[], []]);
  });

  it('is told by the laboratory’s own code where the slug is none', () => {
    const report = [
      measured('.', 'unknown', { provider_id: 'NA' }),
      measured('.', 'unknown', { provider_id: 'K' }),
    ];
    expect(found([report[1]!], report)).toEqual([['.']]);
    expect(found([report[1]!], [report[0]!])).toEqual([[]]);
    // Nothing names these.
    expect(found([measured('.', 'unknown')], [measured('.', 'unknown')])).toEqual([[]]);
  });

  it('is told by LOINC before the slug, and never with another LOINC code', () => {
    const [k, na] = [
      measured('K', 'ion', { loinc: '2823-3' }),
      measured('Na', 'ion', { loinc: '2951-2' }),
    ];
    expect(found([k], [measured('Kalium', 'kalium', { loinc: '2823-3' })])).toEqual([['Kalium']]);
    expect(found([k], [na])).toEqual([[]]);
    expect(found([k], [measured('K', 'ion')])).toEqual([['K']]);
    expect(found([k], [measured('K', 'ion', { loinc: 'unknown' })])).toEqual([['K']]);
    // The code is ambiguous in the second report, and the slug must not override it.
    expect(found([na], [k, { ...k, name: 'K2', slug: 'na' }])).toEqual([[]]);
  });

  it('is told by panels where one code occurs in several', () => {
    const createResult = (code: string): BiomarkerResult =>
      measured(`Glucose ${code}`, 'glucose', { loinc: '2345-7', panel: { code } });
    const both = [createResult('FAST'), createResult('2H')];
    expect(found(both, both)).toEqual([['Glucose FAST'], ['Glucose 2H']]);
    expect(found(both, [createResult('3H')])).toEqual([[], []]);
  });

  it('is told by sub-ids within versions of one report, and not across reports', () => {
    const createResult = (sub_id: string): BiomarkerResult =>
      measured('Amoxicillin', 'amox', { sub_id });
    const both = [createResult('1'), createResult('2')];
    expect(found(both, both)).toEqual([[], []]);
    expect(found(both, both, identifyVersionTests)).toEqual([['Amoxicillin'], ['Amoxicillin']]);
  });
});
