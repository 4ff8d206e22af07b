import { describe, expect, it } from '@jest/globals';
import { isSamePatient } from './identity-check.ts';

describe('two reports', () => {
  const ada = { patient: 'Ada Muster', dob: '07/03/1985' };

  it.each([
    ['the same words', ada],
    ['other order, case and punctuation', { patient: 'MUSTER, Ada', dob: '07/03/1985' }],
    ['no name', { dob: '07/03/1985' }],
    ['no birth date', { patient: 'Ada Muster', dob: null }],
    ['a middle name more', { ...ada, patient: 'Ada Lovelace Muster' }],
    ['an initial more, before or behind', { ...ada, patient: 'Muster, Ada L.' }],
    ['another composition of the same letters', { patient: 'Ada Muster'.normalize('NFD') }],
  ])('may be of one person with %s', (_name, other) => {
    expect(isSamePatient(ada, other)).toBe(true);
    expect(isSamePatient(other, ada)).toBe(true);
  });

  it.each([
    ['another name', { ...ada, patient: 'Ada Muller' }],
    ['another first name', { ...ada, patient: 'Lovelace Ada Muster' }],
    ['another birth date', { ...ada, dob: '03/07/1985' }],
  ])('may be of two people with %s', (_name, other) => {
    expect(isSamePatient(ada, other)).toBe(false);
  });

  it.each([
    ['JOSE RUIZ', 'José A. Ruiz'],
    ['RUIZ, JOSE ANTONIO', 'José Ruiz'],
    ["Sinéad O'Brien", 'OBRIEN, SINEAD'],
    ['Jürgen Groß', 'JURGEN GROSS'],
    ['Łukasz Sørensen', 'LUKASZ SORENSEN'],
  ])('name one person as %s and as %s', (one, other) => {
    expect(isSamePatient({ patient: one }, { patient: other })).toBe(true);
    expect(isSamePatient({ patient: other }, { patient: one })).toBe(true);
  });

  it.each([
    ['Anna Maria Lopez', 'Maria Lopez'],
    ['José Ruiz', 'Jose Ruis'],
    ['Ann Lee', 'Anna Lee'],
  ])('name two people as %s and as %s', (one, other) => {
    expect(isSamePatient({ patient: one }, { patient: other })).toBe(false);
  });

  it('of names in any script are told apart', () => {
    expect(isSamePatient({ patient: '欧阳雨桐' }, { patient: '欧阳雨' })).toBe(false);
    expect(isSamePatient({ patient: 'ليلى الحدّاد' }, { patient: 'الحدّاد ليلى' })).toBe(true);
  });
});
