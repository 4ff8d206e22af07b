import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { duplicateMember, type MemberPath } from './duplicate-members.ts';

const found = (text: string): MemberPath | undefined => duplicateMember(text, JSON.parse(text));

describe('a member that is given twice', () => {
  it.each<[string, string, MemberPath]>([
    ['at the top', '{"a":1,"a":1}', ['a']],
    ['with another value', '{"a":1,"b":[],"a":{"b":2}}', ['a']],
    ['in an object of an array', '{"x":[0,{"a":1},{"b":1 , "b" :2}]}', ['x', 2, 'b']],
    ['in an array of arrays', '[[],[1,[{"a":0,"a":0}]]]', [1, 1, 0, 'a']],
    ['escaped', String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['by escapes of either kind', String.raw`{"\/\n":1,"\u002f\u000A":2}`, ['/\n']],
    ['as a surrogate pair', String.raw`{"😀":1,"\ud83d\uDE00":2}`, ['😀']],
    ['with half of a pair', String.raw`{"\ud83d":1,"\uD83D":2}`, ['\ud83d']],
    ['without a letter', '{"":1,"":2}', ['']],
    ['called __proto__', '{"__proto__":{"a":1},"__proto__":{"b":1}}', ['__proto__']],
    ['called constructor', '{"constructor":1,"constructor":2}', ['constructor']],
    ['whose inside the later one hides', '{"a":{"b":1,"c":2},"a":{}}', ['a']],
    ['in what a later one hides', '{"a":{"b":1,"b":2},"a":{}}', ['a', 'b']],
    ['behind quotes and backslashes', String.raw`{"q":"\\\"{\"a\":1","a":"\\","a":""}`, ['a']],
    ['with blanks about the colon', '{"a"\t\r\n :1,"a" : 2}', ['a']],
  ])('is found %s', (_what, text, path) => {
    expect(found(text)).toEqual(path);
  });

  it.each([
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":["b","b"],"c":"\\":"}',
    '{"A":1,"a":2}',
    '{"é":1,"e\u0301":2}',
    '{"__proto__":1,"constructor":2}',
    '"a"',
    '1',
    'null',
  ])('is not seen in %s', (text) => {
    expect(found(text)).toBeUndefined();
  });

  it('is never seen in what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        expect(found(JSON.stringify(value, null, space))).toBeUndefined();
      }),
    );
  });

  it('is found wherever it was put, however its name is spelt', () => {
    fc.assert(
      fc.property(fc.gen(), (gen) => {
        const { text, path } = textWithADuplicate(gen);
        expect(found(text)).toEqual(path);
      }),
      { numRuns: 60 },
    );
  });

  it('is found where the nesting is deeper than the stack, the place left out', () => {
    const levels = 200_000;
    const bomb = `${'{"a":['.repeat(levels)}${']}'.repeat(levels)}`;
    expect(found(bomb)).toBeUndefined();
    const twice = '{"b":1,"b":2}';
    expect(found(`${'{"a":['.repeat(levels)}${twice}${']}'.repeat(levels)}`)).toEqual([]);
    expect(found(`[${'['.repeat(900)}${twice}${']'.repeat(900)}]`)?.at(-1)).toBe('b');
  });
});

/** A random text in which exactly one member is given twice, and that member's place. */
function textWithADuplicate(gen: fc.GeneratorValue): { text: string; path: MemberPath } {
  const blank = (): string => gen(fc.constantFrom, '', '', ' ', '\n\t') as string;
  const spelt = (name: string): string =>
    [...Array(name.length).keys()]
      .map((at) =>
        gen(fc.boolean)
          ? `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`
          : JSON.stringify(name.charAt(at)).slice(1, -1),
      )
      .join('');
  const value = (): string => JSON.stringify(gen(fc.jsonValue, { maxDepth: 2 }));
  const member = (name: string, of: string): string =>
    `${blank()}"${spelt(name)}"${blank()}:${blank()}${of}${blank()}`;
  const names = (): string[] =>
    gen(fc.uniqueArray, fc.string({ unit: 'binary', maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    }) as string[];

  const inner = names();
  const twice = gen(fc.nat, { max: inner.length - 1 });
  const written = inner.map((name) => member(name, value()));
  written.push(member(inner[twice] ?? '', value()));
  let text = `{${written.join(',')}}`;
  const path: (string | number)[] = [inner[twice] ?? ''];
  for (let level = gen(fc.nat, { max: 4 }); level > 0; level -= 1) {
    if (gen(fc.boolean)) {
      const before = gen(fc.nat, { max: 3 });
      text = `[${[...Array.from({ length: before }, value), text, value()].join(',')}]`;
      path.unshift(before);
    } else {
      const around = names();
      const place = gen(fc.nat, { max: around.length - 1 });
      const members = around.map((name, at) => member(name, at === place ? text : value()));
      text = `{${members.join(',')}}`;
      path.unshift(around[place] ?? '');
    }
  }
  return { text, path };
}
