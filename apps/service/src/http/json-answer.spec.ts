import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { bytesIfLong } from './json-answer.ts';

describe('the texts of an answer', () => {
  it('are the same one behind the other, as a text or as bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const long = fc.tuple(text, fc.nat({ max: 3000 })).map(([some, times]) => some.repeat(times));
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.array(fc.oneof(text, long), { maxLength: 5 }), (texts) => {
        const made = bytesIfLong(...texts);
        kinds.add(typeof made);
        expect(made.toString()).toBe(texts.join(''));
      }),
    );
    expect([...kinds].sort()).toEqual(['object', 'string']);
  });

  it('have U+FFFD for half of a surrogate pair, and nothing behind their end', () => {
    const [half, long] = ['\ud83d', 'é'.repeat(20_000)];
    expect(bytesIfLong(half, long, half).toString()).toBe(`\ufffd${long}\ufffd`);
  });
});
