import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { countVisibleCharacters } from './identity-gate.ts';

describe('the number of visible characters', () => {
  it.each([
    ['letters, digits and signs', 'Dr. O’Neill 7!', 12],
    ['spaces of any width', ' \u00a0\u2003\u3000\t\n', 0],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff\u00ad', 0],
    ['control characters', '\u0000\u0007\u001b\u202e', 0],
    ['letters that are drawn as nothing', '\u115f\u3164\uffa0\u2800', 0],
    ['accents with nothing to stand on', '\u0301\u0301\u0301', 0],
    ['an accent with its letter', 'e\u0301', 1],
    ['Arabic with its vowel signs', 'مَرْحَبًا', 5],
    ['letters beyond the first plane', '𝐀𝐁', 2],
    ['an emoji of several characters', '👩‍⚕️', 1],
  ])('of %s', (_name, text, count) => {
    expect(countVisibleCharacters(text)).toBe(count);
  });

  it('doesn’t grow with invisible characters', () => {
    const unseen = fc.constantFrom(' ', '\u200b', '\u0007', '\u2800', '\u3164', '\ufeff', '\n');
    fc.assert(
      fc.property(fc.array(unseen), fc.stringMatching(/^[a-z0-9]*$/u), (blanks, text) => {
        expect(countVisibleCharacters(blanks.join('') + text + blanks.join(''))).toBe(text.length);
      }),
    );
  });
});
