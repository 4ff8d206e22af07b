import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { readMembers, formatOtherMembers } from './json-members.ts';

describe('the members of a JSON text', () => {
  it('keep the digits and spelling of their values', () => {
    const text = ' {"a" : 1.50e+1 ,\n"b":{"x":[1.0, "}\\"]"]},"c":"\\\\","\\u0064":null}';
    expect([...readMembers(text)]).toEqual([
      ['a', '1.50e+1'],
      ['b', '{"x":[1.0, "}\\"]"]}'],
      ['c', '"\\\\"'],
      ['d', 'null'],
    ]);
  });

  it('parse to what the whole text parses to, whatever the object and its layout', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { noNullPrototype: true }),
        fc.constantFrom(undefined, 1, '\t'),
        (object, space) => {
          const members = readMembers(JSON.stringify(object, null, space));
          const parsed = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
          expect([...members.keys()].sort()).toEqual(Object.keys(parsed).sort());
          for (const [name, text] of members) {
            expect(JSON.parse(text)).toEqual(parsed[name]);
          }
          expect(JSON.parse(`{"known":0${formatOtherMembers(members, [])}}`)).toEqual({
            known: 0,
            ...parsed,
          });
        },
      ),
    );
  });
});
