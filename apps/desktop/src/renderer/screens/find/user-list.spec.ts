import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { ListedUser } from '@caregate/domain';
import { matching } from './user-list.tsx';

function userOf(clientUserId: string): ListedUser {
  return { client_user_id: clientUserId } as ListedUser;
}

describe('matching', () => {
  const id = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '-', '1', 'é', 'É'), maxLength: 6 });

  it('keeps in order those that hold the text, whatever its capitals, and no others', () => {
    fc.assert(
      fc.property(fc.array(id), id, (ids, filter) => {
        const holds = (one: string): boolean => one.toUpperCase().includes(filter.toUpperCase());
        const found = matching(ids.map(userOf), filter).map((user) => user.client_user_id);
        expect(found).toEqual(ids.filter(holds));
      }),
    );
  });

  it('takes what looks like a pattern as text', () => {
    expect(matching([userOf('a.c'), userOf('abc')], 'a.c')).toHaveLength(1);
  });
});
