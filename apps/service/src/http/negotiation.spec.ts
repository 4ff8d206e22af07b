import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { languageOf, wantsHtml } from './negotiation.ts';

const languages = ['en', 'es', 'ar'] as const;

describe('what a request prefers', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', true],
    ['TEXT/HTML;charset=utf-8', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html;q=0.5, application/json', false],
    ['application/json, text/html', false],
    ['text/html, application/json', true],
    ['text/html;q=0', false],
    ['text/*, */*;q=0.1', true],
    ['text/html;q=nonsense', false],
  ])('of %j is HTML: %s', (accept, expected) => {
    expect(wantsHtml(accept)).toBe(expected);
  });

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
          expect(typeof wantsHtml(header)).toBe('boolean');
        },
      ),
    );
  });
});
