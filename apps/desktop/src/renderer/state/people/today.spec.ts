import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TodayPerson } from '../../../bridge/app-state.ts';
import { withAdded, withMoved } from './today.tsx';

const person = fc.record<TodayPerson>({
  userId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  clientUserId: fc.constantFrom('MRN-1', 'MRN-2'),
  isDone: fc.boolean(),
});
const list = fc.uniqueArray(person, { selector: ({ userId }) => userId });
const ids = (people: readonly TodayPerson[]): string[] => people.map(({ userId }) => userId);

describe('the list of the day', () => {
  it('has somebody once, at the end where they are new, and as done as they were', () => {
    fc.assert(
      fc.property(list, person, (people, { userId, clientUserId }) => {
        const before = people.find((one) => one.userId === userId);
        const after = withAdded(people, { userId, clientUserId, name: 'Amara' });
        expect(ids(after)).toEqual(before === undefined ? [...ids(people), userId] : ids(people));
        const added = after.find((one) => one.userId === userId);
        expect(added).toMatchObject({ name: 'Amara', isDone: before?.isDone ?? false });
      }),
    );
  });

  it('has two hundred people at most', () => {
    let people: readonly TodayPerson[] = [];
    for (let count = 0; count < 201; count += 1) {
      people = withAdded(people, { userId: String(count), clientUserId: 'MRN-1' });
    }
    expect(people).toHaveLength(200);
  });

  it('keeps everybody when one moves, and goes back when they move back', () => {
    fc.assert(
      fc.property(list, person, fc.constantFrom<1 | -1>(1, -1), (people, { userId }, by) => {
        const after = withMoved(people, userId, by);
        expect(ids(after).toSorted()).toEqual(ids(people).toSorted());
        const [from, to] = [ids(people).indexOf(userId), ids(after).indexOf(userId)];
        const isAtEnd = from < 0 || from + by < 0 || from + by >= people.length;
        expect(to).toBe(isAtEnd ? from : from + by);
        if (!isAtEnd) expect(withMoved(after, userId, by === 1 ? -1 : 1)).toEqual(people);
      }),
    );
  });
});
