import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { languageOf } from './negotiation.ts';

const languages = ['en', 'es', 'ar'] as const;

describe('what a request prefers', () => {
  it.each([
    [undefined, undefined],
    ['de', undefined],
    ['es-MX', 'es'],
    ['de, ar;q=0.2, en;q=0.1', 'ar'],
    ['en;q=0.5, es', 'es'],
    ['AR-eg', 'ar'],
    ['en;q=0', undefined],
    ['*', undefined],
  ])('of the language %j is %s', (header, expected) => {
    expect(languageOf(header, languages)).toBe(expected);
  });

  it('is read from any text, in time that grows with its length alone', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'e', 'n', '-', ',', ';', 'q=', '0', '.', '/', '*', ' ', '\t'),
        }),
        (header) => {
          expect([undefined, ...languages]).toContain(languageOf(header, languages));
        },
      ),
    );
  });
});
