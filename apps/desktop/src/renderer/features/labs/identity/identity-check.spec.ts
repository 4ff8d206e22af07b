import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { checkIdentity, parseDayMonthYear, isSamePatient, needsLook } from './identity-check.ts';

describe('the patients of two reports', () => {
  const ada = { patient: 'Ada Muster', dob: '07/03/1985' };

  it.each([
    ['the same words', ada],
    ['other order, case and punctuation', { patient: 'MUSTER, Ada', dob: '07/03/1985' }],
    ['no name', { dob: '07/03/1985' }],
    ['no birth date', { patient: 'Ada Muster', dob: null }],
    ['a middle name more', { ...ada, patient: 'Ada Lovelace Muster' }],
    ['an initial more, before or behind', { ...ada, patient: 'Muster, Ada L.' }],
    ['another composition of the same letters', { patient: 'Ada Muster'.normalize('NFD') }],
  ])('may be the same with %s', (_name, other) => {
    expect(isSamePatient(ada, other)).toBe(true);
    expect(isSamePatient(other, ada)).toBe(true);
  });

  it.each([
    ['another name', { ...ada, patient: 'Ada Muller' }],
    ['another first name', { ...ada, patient: 'Lovelace Ada Muster' }],
    ['another birth date', { ...ada, dob: '03/07/1985' }],
  ])('are different with %s', (_name, other) => {
    expect(isSamePatient(ada, other)).toBe(false);
  });

  it.each([
    ['JOSE RUIZ', 'José A. Ruiz'],
    ['RUIZ, JOSE ANTONIO', 'José Ruiz'],
    ["Sinéad O'Brien", 'OBRIEN, SINEAD'],
    ['Jürgen Groß', 'JURGEN GROSS'],
    ['Łukasz Sørensen', 'LUKASZ SORENSEN'],
  ])('are the same: %s, %s', (one, other) => {
    expect(isSamePatient({ patient: one }, { patient: other })).toBe(true);
    expect(isSamePatient({ patient: other }, { patient: one })).toBe(true);
  });

  it.each([
    ['Anna Maria Lopez', 'Maria Lopez'],
    ['José Ruiz', 'Jose Ruis'],
    ['Ann Lee', 'Anna Lee'],
  ])('are different: %s, %s', (one, other) => {
    expect(isSamePatient({ patient: one }, { patient: other })).toBe(false);
  });

  it('are compared in any script', () => {
    expect(isSamePatient({ patient: '欧阳雨桐' }, { patient: '欧阳雨' })).toBe(false);
    expect(isSamePatient({ patient: 'ليلى الحدّاد' }, { patient: 'الحدّاد ليلى' })).toBe(true);
  });
});

describe('the identity check', () => {
  const check = (dob: string | null, ...birthDates: readonly string[]) =>
    checkIdentity({ result: { metadata: { dob } }, birthDates });

  it('reads day, month and year, and nothing else', () => {
    expect(parseDayMonthYear('7/3/1985')).toBe('1985-03-07');
    expect(parseDayMonthYear('31/02/1985')).toBeUndefined();
    expect(parseDayMonthYear('1985-03-07')).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (raw) => {
        parseDayMonthYear(raw);
      }),
    );
  });

  it('compares whole dates, and finds day and month swapped', () => {
    expect(check('07/03/1985', '1985-03-07')).toEqual({ kind: 'match', of: ['person'] });
    expect(check('07/03/1985', '1985-07-03')).toMatchObject({
      kind: 'mismatch',
      swapped: true,
    });
    expect(check('08/03/1985', '1985-03-07')).toMatchObject({ swapped: false });
  });

  it('needs a look at an unreadable date, and says which date is missing', () => {
    expect(needsLook(check('the 7th', '1985-03-07'))).toBe(true);
    expect(check(null, '1985-03-07')).toEqual({ kind: 'notComparable', lacking: 'lab' });
    expect(check('07/03/1985')).toEqual({ kind: 'notComparable', lacking: 'birthDate' });
    const result = { metadata: { dob: '07/03/1985' } };
    const lacking = { kind: 'notComparable', lacking: 'person' };
    expect(checkIdentity({ result, birthDates: undefined })).toEqual(lacking);
  });

  it('needs all known birth dates to match', () => {
    expect(check('05/05/1950', '1970-04-04')).toMatchObject({ kind: 'mismatch', of: 'person' });
    expect(check('05/05/1950', '1950-05-05', '1970-04-04')).toMatchObject({
      ...{ kind: 'mismatch', lab: '1950-05-05', other: '1970-04-04' },
    });
    expect(check('05/05/1950', '1950-05-05')).toEqual({ kind: 'match', of: ['person'] });
  });

  it('compares with the insured only if that is the patient', () => {
    const insured = { first_name: 'A', last_name: 'B', dob: '1960-01-01' };
    const parts = { result: { metadata: { dob: '07/03/1985' } }, birthDates: ['1985-03-07'] };
    expect(checkIdentity({ ...parts, insurance: { relationship: 'Self', insured } })).toMatchObject(
      { kind: 'mismatch', of: 'insured' },
    );
    expect(checkIdentity({ ...parts, insurance: { relationship: 'Spouse', insured } })).toEqual({
      kind: 'match',
      of: ['person'],
    });
  });
});
