import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createElement } from 'react';
import type { Insurance } from '@caregate/domain';
import * as v from 'valibot';
import { printDocumentSchema } from '../../../shared/print.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { splitPageNumber } from '../printing/print-document.ts';
import { renderMarkup, extractText } from '../../ui/render.testing.ts';
import { InsuranceCard } from './insurance-card.tsx';
import { buildInsuranceDocument } from './insurance-document.ts';
import type { Which } from './insurance-document.ts';
import { useFormatPolicyholder, useReadInsurance } from './insurance-facts.ts';
import type { InsuranceFacts } from './insurance-facts.ts';

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

/** Runs a hook inside the application's providers and returns its result. */
function callHook<T>(use: () => T): T {
  let returned: T | undefined;
  function Probe(): null {
    returned = use();
    return null;
  }
  renderMarkup(createElement(Probe));
  return returned!;
}

function readFacts(one: Insurance): InsuranceFacts {
  return callHook(() => useReadInsurance()(one));
}

function showCard(one: Insurance): string {
  const card = createElement(InsuranceCard, { which: 'primary', insurance: one });
  return extractText(renderMarkup(card));
}

function build(
  paper: PrintDocument['paper'],
  masked: boolean,
  policies: readonly (readonly [Which, Insurance])[] = [['primary', insurance]],
): PrintDocument {
  const page = splitPageNumber((number, count) => `Page ${number} of ${count}`);
  return buildInsuranceDocument({
    policies: policies.map(([which, one]) => [which, readFacts(one)]),
    patient: { name: 'v-patient', born: 'v-born', clientUserId: 'v-client' },
    contact: [{ label: 'person.phone', value: 'v-contact' }],
    time: 'now',
    masked,
    frame: { paper, language: 'en', direction: 'ltr', clinic: 'clinic', page, footer: ['by'] },
    text: (key) => key,
  });
}

describe('the printed insurance', () => {
  it('has every value of the interface, and is a document that main takes', () => {
    const document = build('a4', false);
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
    expect(document.sections.map(({ heading }) => heading)).toEqual([
      'insurance.primary',
      'patient.label',
    ]);
  });

  it('has the guarantor where one is named, whatever else was sent for one', () => {
    const guarantor = { first_name: 'v-gus', dob: 'v-1979', email: 7, address: { city: 'v-town' } };
    const named = { ...insurance, guarantor } as Insurance;
    const document = build('a4', false, [['primary', named]]);
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
      expect(build('a4', false, [['primary', without]]).sections).toHaveLength(2);
    }
    expect(showCard(named)).toMatch(/Guarantor[\s\S]*v-gus/u);
  });

  it('has both policies, each with its own policyholder', () => {
    const insured = { ...insurance.insured, first_name: 'v-other' };
    const second = { ...insurance, member_id: 'v-second', insured };
    const { sections } = build('letter', false, [
      ['primary', insurance],
      ['secondary', second],
    ]);
    expect(sections.map(({ heading }) => heading)).toEqual([
      'insurance.primary',
      'insurance.secondary',
      'patient.label',
    ]);
    expect(JSON.stringify(sections[0])).not.toMatch(/v-second|v-other/u);
    expect(JSON.stringify(sections[1])).toMatch(/v-second[\s\S]*v-other/u);
  });

  it('has no value where it is masked', () => {
    expect(JSON.stringify(build('a4', true))).not.toMatch(/v-/u);
  });
});

describe('the policyholder', () => {
  const format = callHook(() => useFormatPolicyholder());

  it.each(['Spouse', 'Other', 'self', 'SELF', 'Child', '', '__proto__'])(
    'is not the patient where the relationship is %j',
    (relationship) => {
      expect(format({ ...insurance, relationship })).not.toMatch(/patient is the policyholder/u);
      expect(format({ ...insurance, relationship: 'Self' })).toBe(
        'The patient is the policyholder.',
      );
    },
  );

  it.each(['self', 'constructor', 'Domestic partner'])('is in quotation marks as %s', (value) => {
    expect(format({ ...insurance, relationship: value })).toBe(`“${value}”`);
  });

  it('has a phone number as people write it', () => {
    const insured = { first_name: 'Ada', last_name: 'Lovelace', phone_number: '+12125550123' };
    expect(showCard({ ...insurance, insured })).toContain('Phone\n(212) 555-0123\n');
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
