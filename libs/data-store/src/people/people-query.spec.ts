import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { foldText, listSounds, listSpellings, splitWords } from './name-text.ts';
import { searchAmong } from './search-people.ts';
import { parsePeopleQuery } from './people-query.ts';

describe('a name without accents', () => {
  it('is folded and spelled as it is beside one with them', () => {
    const ascii = fc.string({ unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(ascii, (name) => {
        expect(`e ${foldText(name)}`).toBe(foldText(`é ${name}`));
        const others = listSpellings(`é ${name}`).filter((word) => word !== 'e');
        expect(listSpellings(name).filter((word) => word !== 'e')).toEqual(others);
      }),
    );
  });
});

describe('a name as it is compared', () => {
  it.each([
    ['  José  GARCÍA ', ['jose', 'garcia']],
    ["O'Brien", ['obrien']],
    ['Okonkwo-Lindqvist', ['okonkwo', 'lindqvist']],
    ['Łukasz Groß Ørsted Þórðardóttir', ['lukasz', 'gross', 'orsted', 'thordardottir']],
    ['İIıi', ['iiii']],
    ['Ｍａｒｉａ', ['maria']],
    ['لَيْلى الحدّاد', ['ليلي', 'الحداد']],
    ['أحمد فاطمة کریمی', ['احمد', 'فاطمه', 'كريمي']],
    ['ΓΙΏΡΓΟΣ Γιώργος', ['γιωργοσ', 'γιωργοσ']],
    ['\u200fדָּוִד\u200e', ['דוד']],
    ['欧阳雨桐', ['欧阳雨桐']],
    ['がく', ['がく']],
    ['김민준', ['김민준']],
    ['नरेन्द्र', ['नरेन्द्र']],
    ['X', ['x']],
    ['', []],
    ['\ud800', []],
  ])('%s', (name, words) => {
    expect(splitWords(name)).toEqual(words);
  });

  it('is the same however often it is folded, and whatever its form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        expect(foldText(foldText(name))).toBe(foldText(name));
        expect(splitWords(name.normalize('NFD'))).toEqual(splitWords(name.normalize('NFC')));
      }),
      { numRuns: 500 },
    );
  });

  it('has the other ways in which it is written', () => {
    expect(listSpellings('Müller')).toEqual(['muller', 'mueller']);
    expect(listSpellings("O'Brien-Smith")).toEqual(
      expect.arrayContaining(['obrien', 'smith', 'o', 'brien', 'obriensmith']),
    );
  });

  it('sounds alike across spellings and scripts', () => {
    for (const [one, other] of [
      ['stephen', 'steven'],
      ['meyer', 'maier'],
      ['catherine', 'kathryn'],
      ['欧阳', 'ouyang'],
    ] as const) {
      expect(listSounds(one).some((code) => listSounds(other).includes(code))).toBe(true);
    }
  });
});

describe('a query', () => {
  it.each(['', '  ', 'ab', 'a b', '欧', "'", '12', '\u0301\u0301\u0301', '—'])(
    'is refused where "%s" is too little',
    (text) => {
      expect(parsePeopleQuery(text)).toEqual({
        reason: expect.stringContaining('at least three'),
      });
    },
  );

  it.each(['1990-02-31', 'García 2023-02-29'])('names a date that does not exist: %s', (text) => {
    expect(parsePeopleQuery(text)).toEqual({ reason: 'is a date that does not exist' });
  });

  it.each([
    ['gar', { words: ['gar'], dates: [] }],
    ['雨桐', { words: ['雨桐'] }],
    ['García, José 1986-04-12', { words: ['garcia', 'jose'], dates: ['1986-04-12'] }],
    ['1986-04-12 garcía', { words: ['garcia'], dates: ['1986-04-12'] }],
    ['12/04/1986', { words: [], dates: [] }],
    ['12 April 1986', { words: ['12', 'april', '1986'], dates: [] }],
    ['+1 (212) 555-0101', { words: [], phone: '12125550101' }],
    ['0041 44 668 18 00', { words: [], phone: '41446681800' }],
    ['MRN-000101', { ids: ['mrn-000101'] }],
    ['000101', { ids: ['000101', '101'], phone: '000101' }],
    ['Garcia MRN-000101', { ids: ['garcia mrn-000101', 'mrn-000101'] }],
    ['3FA85F64-5717-4562-B3FC-2C963F66AFA6', { uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6' }],
  ])('reads "%s"', (text, expected) => {
    expect(parsePeopleQuery(text)).toMatchObject(expected);
  });

  it('is read or refused from any text, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const query = parsePeopleQuery(text);
        if (!('reason' in query)) {
          const facts = [{ source: 'info', name: text, phone: text }] as const;
          expect(
            (await searchAmong([{ userId: 'x', clientUserId: text, facts }], query, 1)).more,
          ).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});
