import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createIntl } from 'react-intl';
import type { LabOrderResult } from '@caregate/domain';
import * as v from 'valibot';
import { printDocumentSchema } from '../../../shared/print.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { filled } from '../../ui/canaries.testing.ts';
import { formatDate } from '../../ui/values/dates.tsx';
import { splitPageNumber } from '../printing/print-document.ts';
import en from '../../i18n/en.json' with { type: 'json' };
import { noCorrection } from './history/corrections.ts';
import { buildLabDocument } from './lab-document.ts';

const intl = createIntl({ locale: 'en', messages: en, timeZone: 'UTC' });

type Parts = Parameters<typeof buildLabDocument>[0];

/** Builds the printed summary of the order `order-1` in English. */
function documentOf(result: LabOrderResult, parts: Partial<Parts> = {}): PrintDocument {
  return buildLabDocument({
    result,
    orderId: 'order-1',
    birthDates: undefined,
    patient: parts.birthDates && {
      name: 'Known Name',
      born: 'known day',
      clientUserId: 'CLIENT-7',
    },
    insurance: undefined,
    reason: undefined,
    correction: noCorrection,
    findEarlier: undefined,
    isAbnormalOnly: false,
    masked: false,
    frame: {
      paper: 'a4',
      language: 'en',
      direction: 'ltr',
      clinic: 'Harborside Clinic',
      page: splitPageNumber((number, count) => `${number}/${count}`),
      footer: ['by'],
    },
    text: (key, values) => intl.formatMessage({ id: key }, values),
    day: (date) => formatDate(intl, date),
    moment: (at) => at,
    ...parts,
  });
}

/** The open patient's birth date, which differs from the one on the report. */
const birthDates = ['1985-07-03'];
const reason = 'Asked for name and address';
const result: LabOrderResult = {
  metadata: { patient: 'Ada Muster', dob: '07/03/1985', age: 41, status: 'amended' },
  results: [
    { name: 'Zinc', slug: 'z', result: '12.0', value: 12, min_range_value: 9, max_range_value: 18 },
    { name: 'Sodium', slug: 's', result: '171', value: 171, unit: 'mmol/L', max_range_value: 144 },
    { name: 'Odd', slug: 'o', result: '<5', interpretation: 'weird', notes: 'Look twice' },
    { name: 'Plain', slug: 'p', result: 'NEGATIVE', interpretation: 'normal' },
  ],
  missing_results: [
    { name: 'Iron', slug: 'i', inferred_failure_type: 'insufficient_volume', note: 'Vial broke' },
  ],
};

const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/gu, '');

describe('the printed summary of a lab result', () => {
  it('has the notice, the patient, the warnings and the counts', () => {
    const document = documentOf(result, { birthDates: ['1985-03-07'] });
    expect(v.is(printDocumentSchema, document)).toBe(true);
    expect(document.notice).toBe('The laboratory’s report takes precedence.');
    const printed = JSON.stringify(document);
    for (const part of ['Ada Muster', '03/07/1985', 'CLIENT-7', '“amended”']) {
      expect(printed).toContain(part);
    }
    expect(document.patient).toEqual({
      name: 'Ada Muster',
      facts: [
        { label: 'DOB', value: '03/07/1985' },
        { label: 'MRN', value: 'CLIENT-7', code: true },
      ],
    });
    expect(document.sections[0]).toMatchObject({ warning: true });
    expect(document.main).toEqual([
      { label: 'Results', value: '5, of these 2 abnormal, 1 missing' },
    ]);
    expect(document.sections.at(-1)?.text).toBe('End of summary. 5 results.');
  });

  it('has only abnormal and missing results if that is chosen, and says so', () => {
    const document = documentOf(result, { isAbnormalOnly: true });
    const names = document.sections
      .flatMap(({ table }) => table?.rows ?? [])
      .map(({ cells }) => cells[0]);
    expect(names).toEqual(['Iron', 'Sodium', 'Odd']);
    expect(JSON.stringify(document.sections[0])).toContain(en['labs.print.abnormalOnly']);
    expect(document.main.at(-1)?.value).toContain('5, of these 2 abnormal');
  });

  it('has missing results first, then all in the laboratory’s order, and their notes last', () => {
    const more = { Zinc: { sub_id: '2', observation_status: 'P' }, Odd: { sub_id: '1' } };
    const results = result.results.map((one) => ({ ...one, ...more[one.name as 'Odd'] }));
    const { sections } = documentOf({ ...result, results });
    const [missing, measured] = sections.filter(({ table }) => table);
    expect(missing?.table?.rows).toEqual([
      { cells: ['Iron', 'Insufficient volume', 'Vial broke'], strong: [0, 1] },
    ]);
    const odd = '\u200e\u2068Odd\u2069, group\u00a0\u20681\u2069';
    expect(measured?.table?.rows.map(({ cells, strong }) => [...cells, strong])).toEqual([
      [
        '\u200e\u2068Zinc\u2069, group\u00a0\u20682\u2069 · Preliminary',
        ...['12.0', '', '', '9–18', '', '', []],
      ],
      ['Sodium', '171', 'mmol/L', 'High', 'up to 144', '', '', [0, 1, 3]],
      [odd, '<5', '', '“weird”', 'No range', '', '', [0, 1, 3]],
      ['Plain', 'NEGATIVE', '', 'No range', '', '', '', []],
    ]);
    expect(sections.find(({ heading }) => heading === 'Laboratory notes')?.facts).toEqual([
      { label: odd, value: 'Look twice' },
    ]);
  });

  it('has a comment across all columns', () => {
    const comment = { name: 'Culture', slug: 'c', result: 'No growth', type: 'comment' };
    const { sections } = documentOf({ metadata: {}, results: [comment] });
    expect(sections.find(({ table }) => table)?.table?.rows).toEqual([
      { cells: ['Culture', 'No growth'], strong: [] },
    ]);
  });

  it('has a heading for each panel, with how many of its results need attention', () => {
    const panels = ['Metals', 'Electrolytes', undefined, 'Metals'];
    const results = result.results.map((one, at) => ({
      ...one,
      ...(panels[at] !== undefined && { panel: { name: panels[at] } }),
    }));
    const { sections } = documentOf({ ...result, results, missing_results: [] });
    expect(
      sections
        .filter(({ table }) => table)
        .map(({ heading, note, table }) => [heading, note, table?.rows.length]),
    ).toEqual([
      ['Metals', '2 tests', 2],
      ['Electrolytes', '1 test, 1 abnormal', 1],
      ['Other tests', '1 test, 1 abnormal', 1],
    ]);
  });

  it('needs a reason if the report may be about somebody else', () => {
    for (const dob of ['07/03/1985', 'the 7th']) {
      const report = { ...result, metadata: { dob } };
      expect(() => documentOf(report, { birthDates })).toThrow('Identity not confirmed.');
      expect(documentOf(report, { birthDates, reason }).sections[0]?.warning).toBe(true);
    }
  });

  it.each([false, true])(
    'warns with the reason, and has nothing of the open patient (masked: %s)',
    (masked) => {
      const document = documentOf(result, { masked, birthDates, reason });
      const [first] = document.sections;
      expect(first).toMatchObject({ warning: true });
      expect(first?.facts.slice(0, 2).map(({ value }) => value)).toEqual([
        en['labs.print.mismatch'],
        reason,
      ]);
      expect(JSON.stringify(document)).not.toMatch(/Known|known|CLIENT-7|07\/03\/1985|1985-07-03/u);
    },
  );

  it('names the open patient if the report names nobody', () => {
    const { patient } = documentOf({ ...result, metadata: {} }, { birthDates });
    expect([patient.name, ...patient.facts.map(({ value }) => value)]).toEqual([
      ...['Known Name', 'known day', 'CLIENT-7'],
    ]);
  });

  it('says what a correction changed, and beside the result what it was', () => {
    const [zinc] = result.results;
    const before = { ...zinc!, result: '21.0' };
    const document = documentOf(result, {
      correction: {
        ...noCorrection,
        changes: [{ kind: 'result', now: zinc, before }],
        findReplaced: (one) => (one === zinc ? before : undefined),
      },
    });
    const cells = document.sections
      .flatMap(({ table }) => table?.rows ?? [])
      .map((row) => row.cells);
    const names = cells.map(([name = '']) => plain(name));
    expect(names).toContain('Zinc · Corrected, was 21.0');
    expect(plain(JSON.stringify(document.sections[0]))).toContain(
      'Zinc is 12.0; the earlier report said 21.0.',
    );
  });

  it('has the previous value with its flag, its day and what it was before a correction', () => {
    const [zinc] = result.results;
    const measured = { ...zinc!, result: '21.0', value: 21 };
    const replaced = { ...zinc!, result: '7.5' };
    const { sections } = documentOf(result, {
      findEarlier: (one) =>
        one === zinc ? [{ order_id: 'order-0', date: '2026-01-10', measured, replaced }] : [],
    });
    const rows = sections.findLast(({ table }) => table)?.table?.rows ?? [];
    expect(rows[0]?.cells.slice(5).map(plain)).toEqual(['21.0 High was 7.5', '01/10/2026']);
    expect(rows.map(({ cells, strong }) => [cells[6], strong])).toEqual([
      ['01/10/2026', [5]],
      ['', [0, 1, 3]],
      ['', [0, 1, 3]],
      ['', []],
    ]);
  });

  it('says that nothing was compared if the patient has no birth date', () => {
    const printed = JSON.stringify(documentOf(result, { birthDates: [] }));
    expect(printed).toContain(en['identity.lacking.birthDate']);
    expect(printed).toContain('CLIENT-7');
  });

  it('warns that the report is corrected', () => {
    const order = { id: 'ORDER-1', created_at: '2026-05-01T08:00:00Z', updated_at: '' };
    const document = documentOf({
      ...result,
      metadata: { status: 'final' },
      order_transaction: {
        id: 't',
        status: 'completed',
        orders: [{ ...order, low_level_status: 'corrected' }],
      },
    });
    expect(document.sections[0]).toMatchObject({
      warning: true,
      facts: [
        { label: en['identity.title'] },
        { label: 'Report status', value: en['reportStatus.corrected.report'] },
      ],
    });
  });

  it('has results but no patient under the mask', () => {
    const printed = JSON.stringify(documentOf(result, { masked: true, birthDates, reason }));
    expect(printed).toContain('171');
    expect(printed).not.toMatch(/Ada|1985|CLIENT|"41"/u);
  });

  it('has every result, unit, note and name of the interface', () => {
    const { entity, canaries } = filled('LabOrderResult');
    const printed = JSON.stringify(documentOf(entity as LabOrderResult));
    const wanted = canaries.filter(({ path }) =>
      /results\.\d+\.(?:name|result|unit|notes?)$/u.test(path),
    );
    expect(wanted).toHaveLength(12);
    for (const { value } of wanted) expect(printed).toContain(String(value));
  });

  it('has every result and passes main’s validation for any texts', () => {
    const one = fc.record({ name: fc.string(), slug: fc.string(), result: fc.string() });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (results) => {
        const document = documentOf({ metadata: {}, results });
        expect(v.is(printDocumentSchema, document)).toBe(true);
        const rows = document.sections.flatMap(({ table }) => table?.rows ?? []);
        expect(rows.map(({ cells }) => cells[1]).sort()).toEqual(
          results.map((each) => each.result).sort(),
        );
      }),
    );
  });
});
