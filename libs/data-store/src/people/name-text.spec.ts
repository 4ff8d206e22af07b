import { expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { listSpellings, splitWords } from './name-text.ts';
import { parsePeopleQuery } from './people-query.ts';

// Characters that folding decomposes or turns into apostrophes.
const sign = fc.constantFrom(...Array.from("'’ŉ＇″´-–äÖßſςΣİ\u0308\u00adﾞ ab"));
const someName = fc
  .array(fc.oneof(sign, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 8 })
  .map((parts) => parts.join('').replace(/\p{Surrogate}/gu, ''));

it.each(['ŉ', 'O＇Brien', 'a″b', 'ſtŉ´ﾞ', "O'Brien", 'Müller-Łuk'])(
  '%s typed as it is stored asks for words that are stored',
  (name) => {
    expect(listSpellings(name)).toEqual(expect.arrayContaining(splitWords(name.normalize('NFKC'))));
  },
);

it('of any name, what it asks for when it is typed is stored', () => {
  fc.assert(
    fc.property(someName, (name) => {
      const query = parsePeopleQuery(name);
      // A name may be a date, a phone number or an ID.
      fc.pre(!('reason' in query) && query.dates.length === 0);
      expect(listSpellings(name)).toEqual(expect.arrayContaining([...query.words]));
    }),
    { numRuns: 500 },
  );
});
