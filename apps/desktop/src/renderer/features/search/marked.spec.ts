import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { markedParts } from './marked.ts';

const marked = (name: string, typed: string): string =>
  markedParts(name, typed)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('');

describe('markedParts', () => {
  it.each([
    ['Amara Okonkwo-Lindqvist', 'okon', 'Amara [Okon]kwo-Lindqvist'],
    ['Amara Okonkwo-Lindqvist', 'lind am', '[Am]ara Okonkwo-[Lind]qvist'],
    ['Zofia Okoń', 'okon', 'Zofia [Okoń]'],
    ['Zofia Okon\u0301ska', 'okoń', 'Zofia [Okon\u0301]ska'],
    ['Łukasz Ørsted', 'luk ors', '[Łuk]asz [Ørs]ted'],
    ['Tomás Okonjo', 'tomas', '[Tomás] Okonjo'],
    ['ليلى حدّاد', 'حدا', 'ليلى [حدّا]د'],
    ['王芳', '王', '[王]芳'],
    ['Ifeoma Okonkwo', 'kwo', 'Ifeoma Okonkwo'],
    ['Ifeoma Okonkwo', '', 'Ifeoma Okonkwo'],
    ['', 'okon', ''],
  ])('of %j for %j', (name, typed, shown) => {
    expect(marked(name, typed)).toBe(shown);
  });

  it('is the name, whatever is typed', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, (name, typed) => {
        const parts = markedParts(name, typed);
        expect(parts.map((part) => part.text).join('')).toBe(name);
      }),
    );
  });
});
