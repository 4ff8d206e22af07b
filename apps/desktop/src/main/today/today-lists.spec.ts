import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { MOST_TODAY } from '../../bridge/app-state.ts';
import type { Status, TodayPerson } from '../../bridge/app-state.ts';
import { changed, TodayLists } from './today-lists.ts';

const signedOut: Status = {
  ...{ phase: 'signedOut', address: 'https://caregate.example', canSaveKey: false },
  ...{ keySaved: false, enrolled: true, keys: true, pin: { min: 6, max: 6 }, people: [] },
  signingIn: false,
};
const card = (staffId: string): Status['people'][number] => ({
  ...{ staffId, name: staffId, role: 'front_desk', pinSet: true },
  endsAt: '2026-11-22T20:00:00Z',
});
const priya: Status = {
  ...signedOut,
  ...{ phase: 'signedIn', people: [card('priya'), card('leila')], current: 'priya' },
};
const leila: Status = { ...priya, current: 'leila' };
const amara = {
  ...{ userId: '11111111-1111-4111-8111-111111111111', clientUserId: 'MRN-000101' },
  ...{ name: 'Amara Okonkwo-Lindqvist', birthDate: '1985-03-07' },
};
const person = { ...amara, isDone: false };
const add = { act: 'add', person: amara } as const;

function lists(at = { now: new Date(2026, 10, 22, 23, 59) }): TodayLists {
  return new TodayLists(() => at.now);
}

describe('the list of the day', () => {
  it('is of whoever is at the desk, and of nobody else', () => {
    const today = lists();
    today.change(priya, add);
    expect(today.get(priya)).toEqual([person]);
    expect(today.get(leila)).toEqual([]);
    expect(today.get({ ...priya, address: 'https://other.example' })).toEqual([]);
    today.change(leila, add);
    today.change(leila, { act: 'done', person: amara });
    expect(today.get(leila)).toEqual([{ ...person, isDone: true }]);
    expect(today.get(priya)).toEqual([person]);
  });

  it('is shown and changed by nobody while it is locked, and is there again after', () => {
    const today = lists();
    today.change(priya, add);
    const locked: Status = { ...priya, phase: 'locked' };
    expect(today.get(locked)).toEqual([]);
    expect(today.change(locked, { act: 'remove', person: amara })).toEqual([]);
    today.keepFor(locked);
    expect(today.get(priya)).toEqual([person]);
  });

  it('is gone once its person has signed out, also where somebody else stays', () => {
    const today = lists();
    today.change(priya, add);
    today.change(leila, add);
    today.keepFor({ ...leila, people: [card('leila')] });
    expect(today.get(priya)).toEqual([]);
    expect(today.get(leila)).toEqual([person]);
    today.keepFor(signedOut);
    expect(today.get(leila)).toEqual([]);
  });

  it('of a key goes with the key', () => {
    const today = lists();
    const byKey: Status = { ...signedOut, phase: 'signedIn', keyId: 'k1' };
    today.change(byKey, add);
    today.keepFor({ ...byKey, phase: 'locked' });
    expect(today.get(byKey)).toEqual([person]);
    today.keepFor({ ...signedOut, keyId: 'k1' });
    expect(today.get(byKey)).toEqual([]);
  });

  it('is gone at midnight', () => {
    const at = { now: new Date(2026, 10, 22, 23, 59) };
    const today = lists(at);
    today.change(priya, add);
    at.now = new Date(2026, 10, 23, 0, 0);
    expect(today.get(priya)).toEqual([]);
  });

  it('is gone at the clinic’s midnight where its zone is known, whatever this computer’s is', () => {
    for (const [clinicTimeZone, begun, before, after] of [
      ['Pacific/Auckland', '2026-11-22T10:00:00Z', '2026-11-22T10:59:59Z', '2026-11-22T11:00:00Z'],
      ['America/New_York', '2026-11-22T23:00:00Z', '2026-11-23T04:59:59Z', '2026-11-23T05:00:00Z'],
    ] as const) {
      const at = { now: new Date(begun) };
      const today = lists(at);
      const there: Status = { ...priya, clinicTimeZone };
      today.change(there, add);
      at.now = new Date(before);
      expect(today.get(there)).toEqual([person]);
      at.now = new Date(after);
      today.forgetYesterday();
      expect(today.get(there)).toEqual([]);
    }
  });

  it('of yesterday comes back by no change of a window that still shows it', () => {
    const at = { now: new Date(2026, 10, 22, 23, 59) };
    const today = lists(at);
    today.change(priya, add);
    at.now = new Date(2026, 10, 23, 0, 0);
    expect(today.change(priya, { act: 'done', person: amara })).toEqual([]);
    const ben = { userId: 'ben', clientUserId: 'MRN-000102' };
    expect(today.change(priya, { act: 'add', person: ben })).toEqual([{ ...ben, isDone: false }]);
  });
});

const somebody = fc.record<TodayPerson>({
  userId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  clientUserId: fc.constantFrom('MRN-1', 'MRN-2'),
  isDone: fc.boolean(),
});
const list = fc.uniqueArray(somebody, { selector: ({ userId }) => userId });
const ids = (people: readonly TodayPerson[]): string[] => people.map(({ userId }) => userId);

describe('a change', () => {
  it('adds somebody once, at the end where they are new, and as done as they were', () => {
    fc.assert(
      fc.property(list, somebody, (people, { userId, clientUserId }) => {
        const before = people.find((one) => one.userId === userId);
        const added = { userId, clientUserId, name: 'Amara' };
        const after = changed(people, { act: 'add', person: added });
        expect(ids(after)).toEqual(before === undefined ? [...ids(people), userId] : ids(people));
        const one = after.find((each) => each.userId === userId);
        expect(one).toMatchObject({ name: 'Amara', isDone: before?.isDone ?? false });
      }),
    );
  });

  it('adds two hundred people at most', () => {
    let people: readonly TodayPerson[] = [];
    for (let count = 0; count <= MOST_TODAY; count += 1) {
      const one = { userId: String(count), clientUserId: 'MRN-1' };
      people = changed(people, { act: 'add', person: one });
    }
    expect(people).toHaveLength(200);
  });

  it('of somebody who is not on the list changes nothing, unless it adds them', () => {
    const acts = fc.constantFrom(
      ...(['complete', 'remove', 'done', 'undone', 'up', 'down'] as const),
    );
    const stranger = { userId: 'z', clientUserId: 'MRN-9' };
    fc.assert(
      fc.property(list, acts, (people, act) => {
        expect(changed(people, { act, person: stranger })).toEqual(people);
      }),
    );
  });

  it('of one person leaves the others as they are, in their order', () => {
    const acts = fc.constantFrom(...(['add', 'complete', 'remove', 'done', 'undone'] as const));
    fc.assert(
      fc.property(list, somebody, acts, (people, { userId, clientUserId }, act) => {
        const others = (all: readonly TodayPerson[]): TodayPerson[] =>
          all.filter((one) => one.userId !== userId);
        const after = changed(people, { act, person: { userId, clientUserId } });
        expect(others(after)).toEqual(others(people));
        const one = after.find((each) => each.userId === userId);
        if (act === 'remove') expect(one).toBeUndefined();
        if (one !== undefined && act.endsWith('done')) expect(one.isDone).toBe(act === 'done');
      }),
    );
  });

  it('keeps everybody when one moves, and goes back when they move back', () => {
    const way = fc.constantFrom(...(['up', 'down'] as const));
    fc.assert(
      fc.property(list, somebody, way, (people, { userId, clientUserId }, act) => {
        const one = { userId, clientUserId };
        const after = changed(people, { act, person: one });
        expect(ids(after).toSorted()).toEqual(ids(people).toSorted());
        const [from, to] = [ids(people).indexOf(userId), ids(after).indexOf(userId)];
        const wanted = act === 'up' ? from - 1 : from + 1;
        const isAtEnd = from < 0 || wanted < 0 || wanted >= people.length;
        expect(to).toBe(isAtEnd ? from : wanted);
        const back = changed(after, { act: act === 'up' ? 'down' : 'up', person: one });
        if (!isAtEnd) expect(back).toEqual(people);
      }),
    );
  });
});
