import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { addRecent, describeRecent, maxRecents } from './recents.ts';
import type { RecentPerson } from './recents.ts';

const userId = fc.constantFrom(...'a b c d e f g h i j k l'.split(' '));
const person: fc.Arbitrary<RecentPerson> = fc
  .tuple(userId, fc.date({ noInvalidDate: true }))
  .map(([id, at]) => ({ userId: id, clientUserId: id, at }));

describe('recents', () => {
  it('are the last ten patients, each once and newest first', () => {
    fc.assert(
      fc.property(fc.array(person, { maxLength: 40 }), (people) => {
        const newest = people.toReversed();
        const ids = newest.map((one) => one.userId);
        const last = newest.filter((one, place) => ids.indexOf(one.userId) === place);
        expect(people.reduce(addRecent, [])).toEqual(last.slice(0, maxRecents));
      }),
    );
  });

  it('get the facts of a listed patient in place, and of nobody else, and keep them', () => {
    const people = ['a', 'b', 'c'].map((id) => ({ userId: id, clientUserId: id, at: new Date(0) }));
    const facts = { name: 'Amara Okonkwo', birthDate: '1985-03-07' };
    const after = describeRecent(people, 'b', facts);
    expect(after).toEqual([people[0], { ...people[1], ...facts }, people[2]]);
    expect(describeRecent(people, 'd', facts)).toEqual(people);
    expect(addRecent(after, people[1]!)[0]).toEqual({ ...people[1], ...facts });
  });
});
