import { describe, expect, it } from '@jest/globals';
import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import fc from '@caregate/seeded';
import { buildDiagnosticReport, buildLabObservations, parseObservationId } from './index.ts';

const orderId = '11111111-1111-4111-8111-111111111111';
const userId = '22222222-2222-4222-8222-222222222222';
const marker = { name: 'Potassium', slug: 'potassium', result: '' };
const result = (rest: Partial<LabOrderResult> = {}): LabOrderResult => ({
  metadata: { status: 'final' },
  results: [],
  ...rest,
});
const observations = (of: LabOrderResult) =>
  buildLabObservations({ userId, orderId, result: of }, 0);
const observation = (of: Partial<BiomarkerResult>) =>
  JSON.stringify(observations(result({ results: [{ ...marker, ...of }] }))[0]);
const read = (of: Partial<BiomarkerResult>) =>
  JSON.parse(observation(of)) as Readonly<Record<string, unknown>>;

describe('the value of a result', () => {
  it.each<[Partial<BiomarkerResult>, string]>([
    [{ value: 3.9, result: '3.90' }, '"valueQuantity":{"value":3.90}'],
    [{ value: 0.5, result: '.50' }, '"valueQuantity":{"value":0.50}'],
    [{ value: -2, result: '-2.0' }, '"valueQuantity":{"value":-2.0}'],
    [{ value: 0.1 + 0.2, result: '0.3' }, '"valueQuantity":{"value":0.3}'],
    [
      { value: 1200, result: '1,200' },
      '"valueQuantity":{"value":1200},"note":[{"text":"Reported as: 1,200"}]',
    ],
    [{ result: '<0.010', type: 'range' }, '"valueQuantity":{"value":0.010,"comparator":"<"}'],
    // Some systems write −1 for types whose number has no meaning.
    [
      { result: '<0.3', type: 'range', value: -1 },
      '"valueQuantity":{"value":0.3,"comparator":"<"}',
    ],
    [{ result: '10-20', type: 'range', value: -1 }, '"valueString":"10-20"'],
    [{ result: '-1', type: 'numeric', value: -1 }, '"valueQuantity":{"value":-1}'],
    [{ value: 90, result: '≥ 90' }, '"valueQuantity":{"value":90,"comparator":">="}'],
    [{ value: 140, result: '14.0' }, '"valueString":"14.0"'],
    [{ value: 4.1, result: '3.9' }, '"valueString":"3.9"'],
    [
      { value: 1, result: 'Positive', type: 'coded_value' },
      '"valueCodeableConcept":{"text":"Positive"}',
    ],
    [
      { result: '0-5', type: 'range', unit: '/hpf' },
      '"valueString":"0-5","note":[{"text":"Unit: /hpf"}]',
    ],
    [{ result: '5.1' }, '"valueString":"5.1"'],
    [
      { value: 8, result: '8', ...{ sub_id: '2' } },
      '"valueQuantity":{"value":8},"note":[{"text":"Group: 2"}]',
    ],
    [{ result: '<5', type: 'comment' }, '"valueString":"<5"'],
    [
      { result: ' ' },
      '"dataAbsentReason":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/data-absent-reason","code":"unknown"}]}',
    ],
  ])('%j is %s', (of, expected) => {
    expect(observation(of)).toContain(expected);
    expect(observation(of).match(/"value[A-Z]\w+":/gu) ?? []).toHaveLength(
      expected.includes('value') ? 1 : 0,
    );
  });

  it('keeps every digit that a laboratory writes', () => {
    const digits = fc
      .tuple(fc.boolean(), fc.nat(999_999), fc.nat(6), fc.nat(999_999))
      .map(
        ([minus, integer, places, rest]) =>
          `${minus ? '-' : ''}${integer}${places === 0 ? '' : `.${String(rest).padStart(6, '0').slice(0, places)}`}`,
      );
    fc.assert(
      fc.property(digits, (written) => {
        const of = observation({ value: Number(written), result: written, unit: 'g/dL' });
        expect(of).toContain(`"valueQuantity":{"value":${written},"unit":"g/dL",`);
      }),
    );
  });

  it.each([
    ['x10E3/uL', '10*3/uL'],
    ['K/uL', '10*3/uL'],
    ['IU/L', '[IU]/L'],
    ['mg/dL', 'mg/dL'],
    ['K/ul', undefined],
    ['constructor', undefined],
  ])('in %s has the UCUM code %s', (unit, code) => {
    const bounds = { min_range_value: 3.5, max_range_value: null };
    const of = read({ value: 4, result: '4', unit, ...bounds });
    const system = code === undefined ? undefined : 'http://unitsofmeasure.org';
    expect(of['valueQuantity']).toEqual({ value: 4, unit, system, code });
    expect(of['referenceRange']).toEqual([{ low: { value: 3.5, unit, system, code } }]);
  });
});

describe('the interpretation of a result', () => {
  it.each<[string | null, boolean, boolean, string | undefined]>([
    ['normal', false, false, 'N'],
    ['abnormal', false, false, 'A'],
    ['abnormal', true, false, 'H'],
    ['abnormal', false, true, 'L'],
    ['critical', false, false, 'AA'],
    ['critical', true, false, 'HH'],
    ['critical', false, true, 'LL'],
    [null, true, false, 'H'],
    [null, false, true, 'L'],
    ['normal', true, false, undefined],
    ['abnormal', true, true, undefined],
    ['panic_high', true, false, undefined],
    [null, true, true, undefined],
    [null, false, false, undefined],
  ])('%s, above %s, below %s: %s', (interpretation, above, below, code) => {
    const flags = { is_above_max_range: above, is_below_min_range: below };
    const of = read({ result: '1', interpretation, ...flags })['interpretation'];
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
    const coding = code === undefined ? undefined : [{ system, code }];
    const text = interpretation ?? undefined;
    expect(of).toEqual(code === undefined && text === undefined ? undefined : [{ coding, text }]);
  });
});

describe('a report', () => {
  it.each<[string | null, string | null, string, string]>([
    ['final', 'completed', 'final', 'final'],
    ['final', 'corrected', 'corrected', 'corrected'],
    ['partial', 'corrected', 'partial', 'preliminary'],
    ['amended', null, 'amended', 'amended'],
    ['corrected', null, 'corrected', 'corrected'],
    ['preliminary', null, 'unknown', 'unknown'],
    [null, null, 'unknown', 'unknown'],
  ])('that is %s, its order %s, is %s and its results %s', (status, last, ofReport, ofResults) => {
    const at = '2026-05-04T10:11:12Z';
    const order = { id: orderId.toUpperCase(), created_at: at, updated_at: at };
    const of = result({
      metadata: { status },
      results: [{ ...marker, result: '1' }],
      missing_results: [{ name: 'Sodium', slug: 'sodium', note: 'Spilled.' }],
      order_transaction: {
        id: userId,
        status: 'active',
        orders: [{ ...order, low_level_status: last }],
      },
    });
    const report = buildDiagnosticReport({ userId, orderId, result: of }, 0);
    expect(report.status).toBe(ofReport);
    expect(report._effectiveDateTime?.extension?.[0]?.valueCode).toBe('unknown');
    const [measured, missing] = observations(of);
    expect([measured?.status, missing?.status]).toEqual([ofResults, 'cancelled']);
    expect(missing?.dataAbsentReason?.coding?.[0]?.code).toBe('not-performed');
  });

  it('has Observations whose ids other results do not change, nor the coming of a missing one', () => {
    const slugs = fc.array(fc.constantFrom('a', 'b', 'c', 'sodium'), { maxLength: 9 });
    const ofSlug = (slug: string) => ({ ...marker, slug });
    const idsOf = (of: LabOrderResult) => observations(of).map(({ id = '' }) => id);
    fc.assert(
      fc.property(slugs, slugs, (some, others) => {
        const ids = idsOf(result({ results: some.map(ofSlug) }));
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) {
          expect(id).toMatch(/^[A-Za-z0-9.-]{1,64}$/u);
          expect(parseObservationId(id)).toEqual({ orderId });
        }
        const added = others.filter((slug) => !some.includes(slug));
        const more = idsOf(result({ results: [...added, ...some].map(ofSlug) }));
        expect(more.slice(added.length)).toEqual(ids);
        expect(idsOf(result({ missing_results: some.map(ofSlug) }))).toEqual(ids);
      }),
    );
  });

  it('takes LOINC codes whose check digit holds, and our names beside them', () => {
    expect(read({ result: '1', loinc: '2823-3' })['code']).toEqual({
      coding: [{ system: 'http://loinc.org', code: '2823-3' }],
      text: 'Potassium',
    });
    expect(read({ result: '1', loinc: '2823-4' })['code']).toEqual({ text: 'Potassium' });
  });
});
