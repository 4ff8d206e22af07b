import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { maxRecents, noRecents, withOrder, withFacts, withPerson } from './recents.ts';
import type { RecentOrder, RecentPerson } from './recents.ts';

const at = fc.date({ noInvalidDate: true });
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
const person: fc.Arbitrary<RecentPerson> = fc.record({ userId: name, clientUserId: name, at });
const order: fc.Arbitrary<RecentOrder> = fc
  .record({ id: fc.mixedCase(name), under: fc.option(fc.constantFrom('p', 'q')), at })
  .map(({ id, under, at: when }) => ({
    id,
    personId: under ?? undefined,
    clientUserId: under ?? undefined,
    at: when,
  }));

/** The last of each, newest first, in the plainest way. */
function lastOfEach<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const newest = all.toReversed();
  const keys = newest.map(keyOf);
  return newest.filter((one, place) => keys.indexOf(keyOf(one)) === place).slice(0, maxRecents);
}

describe('recents', () => {
  it('are the last ten patients and the last ten orders, each once and newest first', () => {
    fc.assert(
      fc.property(
        fc.array(person, { maxLength: 40 }),
        fc.array(order, { maxLength: 40 }),
        (people, orders) => {
          const recents = orders.reduce(withOrder, people.reduce(withPerson, noRecents));
          const keyOf = ({ id, personId }: RecentOrder): string =>
            `${id.toLowerCase()} ${personId ?? ''}`;
          expect(recents).toEqual({
            people: lastOfEach(people, ({ userId }) => userId),
            orders: lastOfEach(orders, keyOf),
          });
        },
      ),
    );
  });

  it('get the name and birth date of a listed patient in place, and of nobody else', () => {
    const person = (userId: string): RecentPerson => ({
      userId,
      clientUserId: userId,
      at: new Date(0),
    });
    const people = ['a', 'b', 'c'].map(person);
    const before = { ...noRecents, people };
    const facts = { name: 'Amara Okonkwo', birthDate: '1985-03-07' };
    const after = withFacts(before, 'b', facts);
    expect(after.people).toEqual([people[0], { ...people[1], ...facts }, people[2]]);
    expect(withFacts(after, 'b', facts)).toBe(after);
    expect(withFacts(before, 'd', facts)).toBe(before);
  });
});
