import { describe, expect, it } from '@jest/globals';
import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import fc from '@caregate/seeded';
import { buildHistory } from './order-history.ts';

const glucose: BiomarkerResult = { name: 'Glucose', slug: 'glucose', result: '5', unit: 'mmol/L' };

interface Told {
  readonly patient?: string | null;
  readonly dob?: string | null;
  readonly date?: string;
  readonly results?: readonly Partial<BiomarkerResult>[];
}

function body({ patient, dob, date = '2026-06-01', results = [{}] }: Told): string {
  const result: Partial<LabOrderResult> = {
    metadata: { patient, dob, date_collected: date } as LabOrderResult['metadata'],
    results: results.map((each) => ({ ...glucose, ...each })),
  };
  return JSON.stringify(result);
}

/** Returns the history of a report of June 1. */
const history = (own: Told, others: readonly Told[]): ReturnType<typeof buildHistory> =>
  buildHistory(
    'own',
    {
      ...{ body: body(own), userId: 'user' },
      others: others.map((other, n) => ({ orderId: `order ${n}`, body: body(other) })),
    },
    () => Promise.resolve(),
  );

const amara = { patient: 'Amara Okonkwo', dob: '12/04/1986' };
const may = { ...amara, date: '2026-05-01' };

describe('what came before a result', () => {
  it.each([
    ['the names swapped', { patient: 'OKONKWO, Amara' }, true],
    ['accents', { patient: 'Amára Okonkwo' }, true],
    ['an initial more', { patient: 'Amara N. Okonkwo' }, true],
    ['a middle name more, after a comma', { patient: 'Okonkwo, Amara Ngozi' }, true],
    ['another name', { patient: 'Chidi Okonkwo' }, false],
    ['a name less', { patient: 'Okonkwo' }, false],
    ['no name', { patient: null }, true],
    ['a birth date without zeros', { dob: '12/4/1986' }, true],
    ['a birth date as of the store', { dob: '1986-04-12' }, true],
    ['day and month swapped', { dob: '04/12/1986' }, false],
    ['another year', { dob: '12/04/1985' }, false],
    ['no birth date', { dob: '' }, true],
  ])('is of the same person: %s', async (_, reported, isSame) => {
    const found = await history(amara, [{ ...may, ...reported }]);
    expect(found.left_out).toBe(isSame ? 0 : 1);
    expect(found.biomarkers.length).toBe(isSame ? 1 : 0);
  });

  it('is left out where a report has the biomarker under several sub-ids', async () => {
    const two = ['1', '2'].map((sub_id) => ({ ...glucose, sub_id }));
    const one = two.slice(0, 1);
    const found = async (own: Told['results'], earlier: Told['results']): Promise<number> =>
      (await history({ ...amara, results: own! }, [{ ...may, results: earlier! }])).biomarkers
        .length;
    expect(await found(two, [{}])).toBe(0);
    expect(await found([{}], two)).toBe(0);
    expect(await found(one, one)).toBe(1);
    expect(await found([{}, {}], [{}])).toBe(0);
  });

  it('has the value before a correction, if that changed it and is about the same person', async () => {
    const earlier = { ...may, results: [{ result: '5' }, { slug: 'ldl', name: 'LDL' }] };
    const replacedBy = async (replaced: Told): Promise<unknown> => {
      const { biomarkers } = await buildHistory(
        'own',
        {
          ...{ body: body({ ...earlier, date: '2026-06-01' }), userId: 'user' },
          others: [{ orderId: 'other', body: body(earlier), replaced: body(replaced) }],
        },
        () => Promise.resolve(),
      );
      return biomarkers.map(({ earlier: [value] }) => value?.replaced?.result);
    };
    const [, ldl] = earlier.results;
    expect(await replacedBy({ ...earlier, results: [{ result: '7' }, ldl!] })).toEqual([
      '7',
      undefined,
    ]);
    const anothers = { ...earlier, patient: 'Chidi Okonkwo', results: [{ result: '7' }] };
    expect(await replacedBy(anothers)).toEqual([undefined, undefined]);
  });

  it('is at most ten values, earlier ones only, newest first, each of a report of its own', async () => {
    const day = fc.integer({ min: 1, max: 300 }).map((n) => {
      const date = new Date(Date.UTC(2026, 0, n));
      return date.toISOString().slice(0, 10);
    });
    const other = fc.record({
      date: day,
      patient: fc.constantFrom('Amara Okonkwo', 'Chidi Okonkwo', null),
      results: fc.uniqueArray(
        fc
          .record({ slug: fc.constantFrom('glucose', 'ldl'), unit: fc.constantFrom('a', 'b') })
          .map((each) => ({ ...each, name: each.slug })),
        { selector: ({ slug, unit }) => `${slug} ${unit}` },
      ),
    });
    await fc.assert(
      fc.asyncProperty(other, fc.array(other, { maxLength: 40 }), async (own, others) => {
        const reported = { ...own, patient: 'Amara Okonkwo' };
        const found = await history(reported, others);
        const before = others.filter(({ date }) => date < own.date);
        const strangers = before.filter(({ patient }) => patient?.startsWith('Chidi') === true);
        expect(found.left_out).toBe(strangers.length);
        for (const { slug, unit, earlier } of found.biomarkers) {
          const having = before.filter(
            ({ patient, results }) =>
              patient?.startsWith('Chidi') !== true &&
              results.some((each) => each.slug === slug && each.unit === unit),
          );
          expect(earlier).toHaveLength(Math.min(10, having.length));
          const dates = earlier.map(({ date }) => date);
          const newest = having
            .map(({ date }) => date)
            .toSorted()
            .toReversed();
          expect(dates).toEqual(newest.slice(0, 10));
          expect(new Set(earlier.map((each) => each.order_id)).size).toBe(earlier.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});
