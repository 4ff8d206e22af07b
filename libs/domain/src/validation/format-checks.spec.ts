import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { FORMAT_CHECKS } from './format-checks.ts';

const isReason = FORMAT_CHECKS['reason-text'];

const letters = fc.constantFrom(...Array.from('aZ9äßОжאعकあ語한ﬁ٣𝒜'));
/** What shows no letter: blanks, marks, punctuation, symbols, and letters that are invisible. */
const others = fc.constantFrom(
  ...[' ', '\n', '\u00a0', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u2800', '\u0301', '\u0903'],
  ...['.', '-', '_', '😀', '€', '\u115f', '\u1160', '\u3164', '\uffa0', '\u{e0041}'],
);

describe('the text of a reason', () => {
  it('has 20 letters or digits of any script, whatever stands between them', () => {
    const text = fc
      .tuple(fc.array(letters, { maxLength: 40 }), fc.array(others, { maxLength: 60 }))
      .chain(([visible, invisible]) => {
        const all = [...visible, ...invisible];
        const mixed = fc.shuffledSubarray(all, { minLength: all.length });
        return mixed.map((characters) => ({ text: characters.join(''), letters: visible.length }));
      });
    fc.assert(
      fc.property(text, (input) => {
        expect(isReason(input.text)).toBe(input.letters >= 20);
      }),
    );
  });

  it('has at most 2000 characters and no NUL', () => {
    expect(isReason('語'.repeat(2000))).toBe(true);
    expect(isReason('語'.repeat(2001))).toBe(false);
    expect(isReason(`${'x'.repeat(30)}\0`)).toBe(false);
  });
});
