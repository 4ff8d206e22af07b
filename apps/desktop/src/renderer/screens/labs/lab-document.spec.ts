import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createIntl } from 'react-intl';
import type { LabOrderResult, User } from '@caregate/domain';
import { printDocumentSchema } from '../../../bridge/print.ts';
import type { PrintDocument } from '../../../bridge/print.ts';
import { filled } from '../../components/canaries.testing.ts';
import { dayText } from '../../components/dates.tsx';
import en from '../../text/en.json' with { type: 'json' };
import { pageWords } from '../print/page-words.ts';
import { labDocument } from './lab-document.ts';

const intl = createIntl({ locale: 'en', messages: en, timeZone: 'UTC' });

function documentOf(result: LabOrderResult, masked = false, person?: User): PrintDocument {
  return labDocument({
    result,
    orderId: 'order-1',
    person,
    insurance: undefined,
    masked,
    frame: {
      paper: 'a4',
      language: 'en',
      direction: 'ltr',
      footer: { lines: ['by'], page: pageWords((number, count) => `${number}/${count}`) },
    },
    text: (key, values) => intl.formatMessage({ id: key }, values),
    day: (date) => dayText(intl, date) ?? date,
    moment: (at) => at,
  });
}

const person = {
  client_user_id: 'CLIENT-7',
  fallback_birth_date: { value: '1985-07-03', source_slug: 'manual', updated_at: '' },
} as User;
const result: LabOrderResult = {
  metadata: { patient: 'Ada Muster', dob: '07/03/1985', age: 41, status: 'amended' },
  results: [
    { name: 'Zinc', slug: 'z', result: '12.0', value: 12, min_range_value: 9, max_range_value: 18 },
    { name: 'Sodium', slug: 's', result: '171', value: 171, unit: 'mmol/L', max_range_value: 144 },
    { name: 'Odd', slug: 'o', result: '<5', interpretation: 'weird', notes: 'Look twice' },
  ],
  missing_results: [
    { name: 'Iron', slug: 'i', inferred_failure_type: 'insufficient_volume', note: 'Vial broke' },
  ],
};

describe('the printed summary of a lab result', () => {
  it('says what it is not, whose it is, and what must be checked', () => {
    const document = documentOf(result, false, person);
    expect(printDocumentSchema(document)).toMatchObject({ ok: true });
    expect(document.title).toBe("Result summary, not the laboratory's report");
    const printed = JSON.stringify(document);
    for (const part of ['Ada Muster', '07 Mar 1985', 'CLIENT-7', 'order-1', '“amended”']) {
      expect(printed).toContain(part);
    }
    expect(printed).toContain('Check identity');
    expect(printed).toContain('1 outside range · 1 unrecognised · 1 missing · 1 in range');
  });

  it('has the missing results before the others, and the most urgent of these first', () => {
    const [missing, measured] = documentOf(result).sections.filter(({ table }) => table);
    expect(missing?.table?.rows).toEqual([
      { cells: ['Iron', 'Too small a volume', 'Vial broke'], strong: true },
    ]);
    expect(measured?.table?.rows.map(({ cells, strong }) => [...cells, strong])).toEqual([
      ['Odd', '<5', 'UNRECOGNISED (?)\n“weird”', 'No range', '', 'Look twice', true],
      ['Sodium', '171 mmol/L', 'HIGH (H)', 'up to 144', '', '', true],
      ['Zinc', '12.0', 'In range (N)', '9 to 18', '', '', undefined],
    ]);
  });

  it('masked, has the results and nothing of the person', () => {
    const printed = JSON.stringify(documentOf(result, true, person));
    expect(printed).toContain('171 mmol/L');
    expect(printed).not.toMatch(/Ada|1985|CLIENT|"41"/u);
  });

  it('has every result, unit, note and name of the interface, whatever they are', () => {
    const { entity, canaries } = filled('LabOrderResult');
    const printed = JSON.stringify(documentOf(entity as LabOrderResult));
    const wanted = canaries.filter(({ path }) =>
      /results\.\d+\.(?:name|result|unit|notes?|timestamp|interpretation)$/u.test(path),
    );
    expect(wanted).toHaveLength(16);
    for (const { value } of wanted) expect(printed).toContain(String(value));
  });

  it('loses no result, and is taken by main, for any texts', () => {
    const one = fc.record({ name: fc.string(), slug: fc.string(), result: fc.string() });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (results) => {
        const document = documentOf({ metadata: {}, results });
        expect(printDocumentSchema(document).ok).toBe(true);
        const rows = document.sections.flatMap(({ table }) => table?.rows ?? []);
        expect(rows.map(({ cells }) => cells[1]).sort()).toEqual(
          results.map((each) => each.result).sort(),
        );
      }),
    );
  });
});
