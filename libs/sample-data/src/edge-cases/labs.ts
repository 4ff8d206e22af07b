import type { BiomarkerResult, LabOrderResult, LabResultEnvelope } from '@caregate/domain';
import { edgeCases } from './cases.ts';
import type { EdgeLabCase } from './cases.ts';
import {
  everyFailure,
  everyStatus,
  extraResult,
  fiveHundred,
  nested,
  nullResult,
  unknownResult,
} from './lab-documents.ts';
import { list, metadata, transactionId, words } from './lab-parts.ts';

export function edgeCaseLabs(teamId: string): LabResultEnvelope[] {
  const lab = (one: EdgeLabCase, result: LabOrderResult): LabResultEnvelope => ({
    kind: 'lab_result',
    team_id: teamId,
    user_id: one.userId,
    order_id: one.orderId,
    result,
  });
  const cases = edgeCases;
  const plain = (...changes: readonly Partial<BiomarkerResult>[]): LabOrderResult => ({
    metadata,
    results: list(...changes),
  });
  return [
    lab(cases.nullsEverywhere, nullResult),
    lab(cases.extraFields, extraResult),
    lab(cases.unknownValues, unknownResult),
    lab(cases.minimalResult, {
      metadata: {},
      results: [{ name: 'Potassium', slug: 'potassium', result: '4.1' }],
    }),
    lab(cases.emptyArrays, {
      metadata,
      results: [],
      missing_results: [],
      sample_information: {},
      order_transaction: { id: transactionId(17), status: 'active', orders: [] },
    }),
    lab(
      cases.textResults,
      plain(
        words('>100'),
        words('NEGATIVE'),
        words('<0.01', 'range'),
        words('1:160'),
        words('5 - 10', 'range'),
        words('See note', 'comment'),
        words('TNP'),
        words('No growth after 5 days.\nFinal report.', 'comment'),
        words('+++'),
        // The text says more than the number beside it.
        {
          result: '>100',
          value: 100,
          min_range_value: 0,
          max_range_value: 50,
          is_above_max_range: true,
          interpretation: 'abnormal',
        },
      ),
    ),
    lab(
      cases.noRange,
      plain(
        { min_range_value: null, max_range_value: null },
        {
          min_range_value: null,
          max_range_value: null,
          is_above_max_range: null,
          is_below_min_range: null,
          interpretation: 'abnormal',
        },
      ),
    ),
    lab(
      cases.oneSidedRanges,
      plain(
        { min_range_value: null },
        { max_range_value: null },
        {
          min_range_value: null,
          value: 171,
          result: '171',
          is_above_max_range: true,
          interpretation: 'abnormal',
        },
        {
          max_range_value: null,
          value: 34,
          result: '34',
          is_below_min_range: true,
          interpretation: 'abnormal',
        },
        { min_range_value: 144, max_range_value: 134 },
        { min_range_value: 140, max_range_value: 140 },
      ),
    ),
    lab(
      cases.contradictoryFlags,
      plain(
        { is_above_max_range: true, interpretation: 'abnormal' },
        { is_above_max_range: true, is_below_min_range: true },
        { value: 171, result: '171' },
        { value: 171, result: '171', is_below_min_range: true, interpretation: 'abnormal' },
        { interpretation: 'critical' },
        { result: '14.0' },
      ),
    ),
    lab(
      cases.wrongLoincCheckDigit,
      plain({ loinc: '2951-3' }, { loinc: '718-8' }, { loinc: 'not a code' }),
    ),
    lab(cases.unusualDob, { metadata: { ...metadata, dob: '1985-03-07' }, results: list({}) }),
    lab(cases.missingResults, { metadata, results: list({}), missing_results: everyFailure() }),
    lab(cases.nestedSampleInformation, { metadata, results: list({}), sample_information: nested }),
    lab(cases.everyStatus, { metadata, results: list({}), order_transaction: everyStatus() }),
    lab(cases.fiveHundredBiomarkers, {
      metadata: { ...metadata, interpretation: 'abnormal' },
      results: fiveHundred(),
    }),
    lab(
      cases.extremeNumbers,
      plain(
        { value: 1e-7, result: '0.0000001', min_range_value: 0, max_range_value: 1e-6 },
        { value: 1e21, result: '1e21', is_above_max_range: true, interpretation: 'abnormal' },
        {
          value: -3.2,
          result: '-3.2',
          min_range_value: -2,
          max_range_value: 2,
          is_below_min_range: true,
          interpretation: 'abnormal',
        },
        { value: 0.1 + 0.2, result: '0.3', min_range_value: 0, max_range_value: 1 },
        {
          value: 123456789.123456,
          result: '123,456,789.123456',
          max_range_value: Number.MAX_SAFE_INTEGER,
        },
        { value: 0, result: '0', min_range_value: 0, max_range_value: 0 },
      ),
    ),
    lab(cases.markupInText, {
      metadata: {
        ...metadata,
        patient: '<b>Bobby</b> & "Tables"',
        provider: '{{provider}} %s ${x}',
      },
      results: list(
        {
          name: '<script>alert(1)</script>',
          result: '<140',
          notes: '</td><!-- \\u0000 ../../etc -->',
        },
        { name: '=1+1', notes: 'line one\r\nline two\ttabbed\u2028line three' },
      ),
    }),
    lab(cases.birthDateMismatch, {
      metadata: { ...metadata, dob: '03/07/1985', age: 40 },
      results: list({}),
    }),
    lab(cases.nonLatinNames, {
      metadata: {
        ...metadata,
        patient: '\u200fعبد الرّحمٰن 欧阳・𠮷田 Nguyê\u0303n\u200e',
        provider: 'Д-р Ѳёдор Ӂ. Вымышленный',
        laboratory: 'מעבדה בדויה / 架空検査所',
        dob: '29/02/2000',
        age: 26,
      },
      results: list(
        { name: 'Hémoglobine glyquée', notes: '結果は正常です' },
        { name: 'الصوديوم\u200f' },
      ),
    }),
    lab(cases.veryLongNames, {
      metadata: { ...metadata, patient: 'Wolfeschlegelsteinhausen'.repeat(9).slice(0, 200) },
      results: list({
        name: 'Immunoglobulin '.repeat(14).trim(),
        notes: 'A long note. '.repeat(200),
      }),
    }),
  ];
}
