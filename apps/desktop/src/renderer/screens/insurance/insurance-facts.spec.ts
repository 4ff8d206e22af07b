import { describe, expect, it } from '@jest/globals';
import type { Insurance } from '@caregate/domain';
import { cardFacts, insuredFacts, insuredHeading, wordFor } from './insurance-facts.ts';

const insurance: Insurance = {
  payor_code: '00123',
  member_id: 'M-0001',
  group_id: null,
  relationship: 'Self',
  insured: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    dob: '1985-03-07',
    gender: 'female',
    phone_number: '+4912345',
    email: null,
    address: { first_line: '1 A St', second_line: '', zip_code: '01234', state: 'CA', city: 'X' },
  },
};

describe('the facts of an insurance', () => {
  it('have every value of the interface exactly as it came', () => {
    const values = [...cardFacts(insurance), ...insuredFacts(insurance)].map(({ value }) => value);
    expect(values).toEqual([
      ...['M-0001', undefined, '00123', 'Self'],
      ...['Ada Lovelace', '1985-03-07', 'female', '+4912345', undefined],
      '1 A St, X, CA 01234',
    ]);
  });

  it('are all there without an address too', () => {
    const insured = { first_name: 'Ada', last_name: 'Lovelace' };
    expect(insuredFacts({ ...insurance, insured })).toHaveLength(6);
  });
});

describe('the heading over the insured person', () => {
  it.each(['Spouse', 'Other', 'self', 'SELF', 'Child', '', '__proto__'])(
    'never takes the insured for the patient where the relationship is %j',
    (relationship) => {
      expect(insuredHeading({ ...insurance, relationship })).toBe('insurance.subscriber');
    },
  );

  it('is the plain one for Self', () => {
    expect(insuredHeading(insurance)).toBe('insurance.insured');
  });
});

describe('a value outside the known ones', () => {
  it.each(['self', 'constructor', 'Domestic partner'])('has no word: %s', (value) => {
    expect(wordFor({ label: 'insurance.relationship', kind: 'relationship', value })).toBe(
      undefined,
    );
  });
});
