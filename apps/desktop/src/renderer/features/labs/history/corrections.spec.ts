import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createIntl } from 'react-intl';
import type { BiomarkerResult } from '@caregate/domain';
import en from '../../../i18n/en.json' with { type: 'json' };
import { createGetName } from '../results/result-names.ts';
import type { Text } from '../../../i18n/text.tsx';
import { describeChanges, findChanges, pairResults } from './corrections.ts';

const measured = (slug: string, result: string, more: Partial<BiomarkerResult> = {}) => ({
  name: slug[0]!.toUpperCase() + slug.slice(1),
  ...{ slug, result, ...more },
});
const report = (...results: BiomarkerResult[]) => ({ results });
const intl = createIntl({ locale: 'en', messages: en });
const text: Text = (id, values) => intl.formatMessage({ id }, values);
const sentences = (now: BiomarkerResult[], before: BiomarkerResult[]): readonly string[] =>
  describeChanges(
    { changes: findChanges(report(...now), report(...before)), isOfAnother: false },
    true,
    createGetName(now, text),
    text,
  ).map((one) => one.replaceAll(/[\u2066-\u2069]/gu, ''));

describe('pairs of results in two versions', () => {
  const results = fc.array(
    fc.record({
      name: fc.string(),
      slug: fc.constantFrom('a', 'b', 'c'),
      loinc: fc.constantFrom('1-1', '2-2', null),
      result: fc.string(),
    }),
    { maxLength: 8 },
  );

  it('contain each result of both versions once', () => {
    fc.assert(
      fc.property(results, results, (now, before) => {
        const pairs = pairResults(report(...now), report(...before));
        expect(pairs.flatMap((pair) => pair.now ?? [])).toEqual(now);
        const earlier = pairs.flatMap((pair) => pair.before ?? []);
        expect(new Set(earlier)).toEqual(new Set(before));
        expect(earlier).toHaveLength(before.length);
      }),
    );
  });

  it('show no change between equal versions', () => {
    fc.assert(
      fc.property(results, (now) => {
        // Several results with the same name are paired by their order.
        const unique = now.filter(
          (one, place) => now.findIndex(({ slug }) => slug === one.slug) === place,
        );
        expect(findChanges(report(...unique), report(...unique))).toEqual([]);
      }),
    );
  });

  it('are in the same group, which the sentence names', () => {
    const of = (sub_id: string, result: string): BiomarkerResult =>
      measured('amoxicillin', result, { sub_id } as Partial<BiomarkerResult>);
    const [one, two] = [of('1', '8'), of('2', '32')];
    expect(pairResults(report(two), report(one, two))).toEqual([
      { now: two, before: two },
      { now: undefined, before: one },
    ]);
    expect(sentences([one, of('2', '16')], [one, two])).toEqual([
      '\u200eAmoxicillin, group\u00a02 is 16; the earlier report said 32.',
    ]);
    expect(sentences([of('1', '4')], [one])).toEqual([
      'Amoxicillin is 4; the earlier report said 8.',
    ]);
  });

  it('have the same LOINC code, or the same slug if one has none', () => {
    const now = measured('k', '4.4', { loinc: '2823-3' });
    expect(
      pairResults(report(now), report(measured('kalium', '5', { loinc: '2823-3' }))),
    ).toHaveLength(1);
    expect(pairResults(report(now), report(measured('k', '5')))).toHaveLength(1);
    expect(pairResults(report(now), report(measured('k', '5', { loinc: '1-1' })))).toHaveLength(2);
  });
});

describe('the sentences about a correction', () => {
  it('have both values, and the unit once if it is the same', () => {
    const unit = 'mmol/L';
    expect(
      sentences([measured('potassium', '4.4', { unit })], [measured('potassium', '5.6', { unit })]),
    ).toEqual(['Potassium is 4.4 mmol/L; the earlier report said 5.6.']);
    expect(
      sentences([measured('iron', '4', { unit })], [measured('iron', '4', { unit: 'mg/dL' })]),
    ).toEqual(['Iron is 4 mmol/L; the earlier report said 4 mg/dL.']);
  });

  it('name added and removed results, and changed ranges and notes', () => {
    expect(sentences([measured('iron', '4')], [])).toEqual([
      "Iron is 4; the earlier report didn't have it.",
    ]);
    expect(sentences([], [measured('iron', '4')])).toEqual([
      "Iron was 4 in the earlier report; it isn't in this one.",
    ]);
    expect(sentences([measured('iron', '4', { notes: 'Look' })], [measured('iron', '4')])).toEqual([
      'Iron: the range or the note changed.',
    ]);
  });

  it('are at most three, with the number of other changes, or say that nothing changed', () => {
    const slugs = ['a', 'b', 'c', 'd', 'e'];
    const shown = sentences(
      slugs.map((slug) => measured(slug, '1')),
      slugs.map((slug) => measured(slug, '2')),
    );
    expect(shown).toHaveLength(4);
    expect(shown.at(-1)).toBe('2 more changes.');
    expect(sentences([measured('a', '1')], [measured('a', '1')])).toEqual([
      'No result differs from the earlier report.',
    ]);
  });
});
