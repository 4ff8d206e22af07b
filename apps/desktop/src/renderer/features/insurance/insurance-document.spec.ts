import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createElement } from 'react';
import type { Insurance } from '@caregate/domain';
import * as v from 'valibot';
import { printDocumentSchema } from '../../../shared/print.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { splitPageNumber } from '../printing/print-document.ts';
import { renderMarkup, extractText } from '../../ui/render.testing.ts';
import { InsuranceFacts } from './facts.tsx';
import { buildInsuranceDocument } from './insurance-document.ts';
import type { Coverage } from './insurance-document.ts';
import { getInsuredHeading, findWord } from './insurance-facts.ts';

const insurance: Insurance = {
  payor_code: 'v-payor',
  member_id: 'v-member',
  group_id: 'v-group',
  relationship: 'v-relationship',
  insured: {
    first_name: 'v-first',
    last_name: 'v-last',
    dob: 'v-dob',
    gender: 'v-gender',
    phone_number: 'v-phone',
    email: 'v-email',
    address: {
      first_line: 'v-line1',
      second_line: 'v-line2',
      zip_code: 'v-zip',
      state: 'v-state',
      city: 'v-city',
    },
  },
};

function documentOf(
  paper: PrintDocument['paper'],
  masked: boolean,
  coverages: readonly Coverage[] = [{ which: 'primary', insurance }],
): PrintDocument {
  const page = splitPageNumber((number, count) => `Page ${number} of ${count}`);
  return buildInsuranceDocument({
    coverages,
    patient: { name: 'v-patient', born: 'v-born', clientUserId: 'v-client' },
    masked,
    frame: { paper, language: 'en', direction: 'ltr', clinic: 'clinic', page, footer: ['by'] },
    text: (key) => key,
    show: ({ value }) => value,
  });
}

describe('the printed insurance', () => {
  it('has every value of the interface, and is a document that main takes', () => {
    const document = documentOf('a4', false);
    expect(v.is(printDocumentSchema, document)).toBe(true);
    const printed = JSON.stringify(document);
    const all = JSON.stringify(insurance).match(/v-\w+/gu) ?? [];
    expect(all).toHaveLength(15);
    for (const value of all) expect(printed).toContain(value);
    expect(document.patient).toEqual({
      name: 'v-patient',
      facts: [
        { label: 'patient.born', value: 'v-born' },
        { label: 'patient.clientId', value: 'v-client', code: true },
      ],
    });
    expect(document.notice).toBe('insurance.notCard');
    expect(document.sections[0]?.heading).toBe('insurance.subscriber');
  });

  it('has the guarantor where one is named, whatever else was sent for one', () => {
    const guarantor = { first_name: 'v-gus', dob: 'v-1979', email: 7, address: { city: 'v-town' } };
    const named = { ...insurance, guarantor } as Insurance;
    const document = documentOf('a4', false, [{ which: 'primary', insurance: named }]);
    expect(v.is(printDocumentSchema, document)).toBe(true);
    expect(document.sections[1]).toEqual({
      heading: 'insurance.guarantor',
      facts: [
        { label: 'column.name', value: 'v-gus' },
        { label: 'patient.born', value: 'v-1979' },
        { label: 'person.address', value: 'v-town' },
      ],
    });
    for (const none of [null, 'Gus', {}, { address: 'x' }]) {
      const without = { ...insurance, guarantor: none } as Insurance;
      const printed = documentOf('a4', false, [{ which: 'primary', insurance: without }]);
      expect(printed.sections).toHaveLength(1);
    }
    const shown = extractText(renderMarkup(createElement(InsuranceFacts, { insurance: named })));
    expect(shown).toMatch(/Guarantor[\s\S]*v-gus/u);
  });

  it('has both of them under one title, the second with its own heading and insured person', () => {
    const second = { ...insurance, member_id: 'v-second' };
    const document = documentOf('a4', false, [
      { which: 'primary', insurance },
      { which: 'secondary', insurance: second },
    ]);
    expect(v.is(printDocumentSchema, document)).toBe(true);
    expect(document.heading).toBe('screen.insurance');
    expect(JSON.stringify(document.main)).not.toContain('v-second');
    expect(document.sections.map(({ heading }) => heading)).toEqual([
      'insurance.subscriber',
      'insurance.secondary',
      'insurance.subscriber',
    ]);
    expect(JSON.stringify(document.sections[1])).toContain('v-second');
    const alone = documentOf('a4', false, [{ which: 'secondary', insurance: second }]);
    expect(alone.heading).toBe('insurance.titleSecondary');
    expect(JSON.stringify(alone.main)).toContain('v-second');
  });

  it.each(['a4', 'letter', 'card'] as const)('on %s has no value where it is masked', (paper) => {
    expect(JSON.stringify(documentOf(paper, true))).not.toMatch(/v-/u);
  });

  it('has the numbers and the name on the card', () => {
    const printed = JSON.stringify(documentOf('card', false));
    for (const value of ['v-payor', 'v-member', 'v-group', 'v-first', 'v-last', 'v-client']) {
      expect(printed).toContain(value);
    }
  });
});

describe('the facts of an insurance', () => {
  it.each(['Spouse', 'Other', 'self', 'SELF', 'Child', '', '__proto__'])(
    'never take the insured for the patient where the relationship is %j',
    (relationship) => {
      expect(getInsuredHeading({ ...insurance, relationship })).toBe('insurance.subscriber');
      expect(getInsuredHeading({ ...insurance, relationship: 'Self' })).toBe('insurance.insured');
    },
  );

  it.each(['self', 'constructor', 'Domestic partner'])('have no word for %s', (value) => {
    expect(findWord({ label: 'insurance.relationship', kind: 'relationship', value })).toBe(
      undefined,
    );
  });

  it('have a phone number as people write it', () => {
    const insured = { first_name: 'Ada', last_name: 'Lovelace', phone_number: '+12125550123' };
    const element = createElement(InsuranceFacts, { insurance: { ...insurance, insured } });
    expect(extractText(renderMarkup(element))).toContain('Phone\n(212) 555-0123\n');
  });
});

describe('the words around the page numbers', () => {
  it('are the sentence without its numbers', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
        expect(splitPageNumber((number, count) => a + number + b + count + c)).toEqual([a, b, c]);
      }),
    );
  });
});
