import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { compareNames, markMatches } from './same-name.ts';

describe('compareNames', () => {
  it.each([
    ['Amara Okonkwo-Lindqvist', 'Amara Okonkwo-Lindqvist', 'sameName'],
    ['Amara Okonkwo', 'OKONKWO, Amara', 'sameName'],
    ['Zofia Okoń', 'Zofia Okon', 'sameName'],
    ['Zoe\u0308 Muller', 'Zoë Müller', 'sameName'],
    ['ليلى حدّاد', 'ليلى حداد', 'sameName'],
    ['Amara Okonkwo', 'Amara Okonkvo', 'nearName'],
    ['Amara Okonkwo', 'Amara Chidi Okonkwo', 'nearName'],
    ['Ben Li', 'Bne Li', 'nearName'],
    ['Amara Okonkwo', 'Ifeoma Okonkwo', undefined],
    ['Li', 'Lu', undefined],
    ['', '', undefined],
    [undefined, undefined, undefined],
    ['’-', '…', undefined],
  ] as const)('of %j and %j is %j', (one, other, likeness) => {
    expect(compareNames(one, other)).toBe(likeness);
    expect(compareNames(other, one)).toBe(likeness);
  });

  const word = fc.string({
    unit: fc.constantFrom(...Array.from('abcdeéñłحدا')),
    minLength: 2,
    maxLength: 9,
  });
  const name = fc.array(word, { minLength: 1, maxLength: 4 });

  it('ignores the order of words, and finds one wrong letter in a long name', () => {
    fc.assert(
      fc.property(name, fc.nat(), (words, at) => {
        const full = words.join(' ');
        expect(compareNames(full, words.toReversed().join(', '))).toBe('sameName');
        const one = 'margareta lindqvist';
        const place = at % one.length;
        const slip = `${one.slice(0, place)}x${one.slice(place + 1)}`;
        fc.pre(one[place] !== ' ');
        expect(['sameName', 'nearName']).toContain(compareNames(one, slip));
      }),
    );
  });

  it('is the same from both sides', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [mine, theirs] = [one.join(' '), other.join(' ')];
        expect(compareNames(mine, theirs)).toBe(compareNames(theirs, mine));
      }),
    );
  });
});

const marked = (name: string, typed: string): string =>
  markMatches(name, typed)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('');

describe('markMatches', () => {
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

  it('join to the name, whatever is typed', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, (name, typed) => {
        const parts = markMatches(name, typed);
        expect(parts.map((part) => part.text).join('')).toBe(name);
      }),
    );
  });
});
