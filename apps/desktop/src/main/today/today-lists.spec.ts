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
const person = { ...amara, state: 'expected', addedBy: 'priya' };
const add = { act: 'add', person: amara } as const;

function lists(at = { now: new Date(2026, 10, 22, 23, 59) }): TodayLists {
  return new TodayLists(() => at.now);
}

describe('the list of the day', () => {
  it('is of whoever is at the desk, and of nobody else', () => {
    const today = lists();
    today.change(priya, add);
    expect(today.get(priya)).toMatchObject([person]);
    expect(today.get(leila)).toEqual([]);
    expect(today.get({ ...priya, address: 'https://other.example' })).toEqual([]);
    today.change(leila, add);
    today.change(leila, { act: 'done', person: amara });
    expect(today.get(leila)).toMatchObject([{ ...amara, state: 'done', addedBy: 'leila' }]);
    expect(today.get(priya)).toMatchObject([person]);
  });

  it('is shown and changed by nobody while it is locked, and is there again after', () => {
    const today = lists();
    today.change(priya, add);
    const locked: Status = { ...priya, phase: 'locked' };
    expect(today.get(locked)).toEqual([]);
    expect(today.change(locked, { act: 'remove', person: amara })).toEqual([]);
    today.keepFor(locked);
    expect(today.get(priya)).toMatchObject([person]);
  });

  it('is gone once its person has signed out, also where somebody else stays', () => {
    const today = lists();
    today.change(priya, add);
    today.change(leila, add);
    today.keepFor({ ...leila, people: [card('leila')] });
    expect(today.get(priya)).toEqual([]);
    expect(today.get(leila)).toMatchObject([amara]);
    today.keepFor(signedOut);
    expect(today.get(leila)).toEqual([]);
  });

  it('of a key goes with the key', () => {
    const today = lists();
    const byKey: Status = { ...signedOut, phase: 'signedIn', keyId: 'k1' };
    today.change(byKey, add);
    today.keepFor({ ...byKey, phase: 'locked' });
    expect(today.get(byKey)).toMatchObject([amara]);
    expect(today.get(byKey)[0]).not.toHaveProperty('addedBy');
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
      expect(today.get(there)).toMatchObject([person]);
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
    expect(today.change(priya, { act: 'add', person: ben })).toMatchObject([ben]);
  });
});

const stamp = { at: '2026-11-22T09:14:00.000Z', by: 'Priya' };
const somebody = fc.record({
  userId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  clientUserId: fc.constantFrom('MRN-1', 'MRN-2'),
  state: fc.constantFrom('expected' as const, 'arrived' as const, 'done' as const),
  addedAt: fc.constantFrom('2026-11-22T08:00:00.000Z', '2026-11-22T09:00:00.000Z'),
});
const ids = (people: readonly TodayPerson[]): string[] => people.map(({ userId }) => userId);
/** As changes make it. */
const list = fc
  .uniqueArray(somebody, { selector: ({ userId }) => userId })
  .map((people): readonly TodayPerson[] =>
    people.toSorted((one, other) => one.addedAt.localeCompare(other.addedAt)),
  );

describe('a change', () => {
  it('adds somebody once, at the end where they are new, and in the state that they were in', () => {
    fc.assert(
      fc.property(list, somebody, (people, { userId, clientUserId }) => {
        const before = people.find((one) => one.userId === userId);
        const added = { userId, clientUserId, name: 'Amara' };
        const after = changed(people, { act: 'add', person: added }, stamp);
        expect(ids(after)).toEqual(before === undefined ? [...ids(people), userId] : ids(people));
        const one = after.find((each) => each.userId === userId);
        expect(one).toMatchObject({ name: 'Amara', state: before?.state ?? 'expected' });
        if (before === undefined)
          expect(one).toMatchObject({ addedAt: stamp.at, addedBy: 'Priya' });
      }),
    );
  });

  it('adds two hundred people at most', () => {
    let people: readonly TodayPerson[] = [];
    for (let count = 0; count <= MOST_TODAY; count += 1) {
      const one = { userId: String(count), clientUserId: 'MRN-1' };
      people = changed(people, { act: 'add', person: one }, stamp);
    }
    expect(people).toHaveLength(200);
  });

  it('of one person leaves the others as they are, in their order', () => {
    const acts = fc.constantFrom(
      ...(['add', 'complete', 'remove', 'time', 'expected', 'arrived', 'done'] as const),
    );
    fc.assert(
      fc.property(list, somebody, acts, (people, { userId, clientUserId }, act) => {
        const others = (all: readonly TodayPerson[]): TodayPerson[] =>
          all.filter((one) => one.userId !== userId);
        const change = { act, person: { userId, clientUserId }, time: '09:00' };
        const after = changed(people, change, stamp);
        expect(others(after)).toEqual(others(people));
        const one = after.find((each) => each.userId === userId);
        if (act === 'remove') expect(one).toBeUndefined();
        if (act === 'time' && one !== undefined) expect(ids(after)[0]).toBe(userId);
        if (act === 'expected' || act === 'arrived' || act === 'done') {
          expect(one?.state ?? act).toBe(act);
          expect(one?.arrivedAt).toBe(
            one === undefined || act === 'expected' ? undefined : stamp.at,
          );
        }
      }),
    );
  });

  it('sorts by time, without one last; a time is taken away again, and an arrival keeps its own', () => {
    const person = (userId: string): { userId: string; clientUserId: string } => ({
      ...{ userId, clientUserId: 'MRN-1' },
    });
    let people: readonly TodayPerson[] = [];
    for (const [minute, one] of ['a', 'b', 'c'].entries()) {
      const at = `2026-11-22T08:0${String(minute)}:00.000Z`;
      people = changed(people, { act: 'add', person: person(one) }, { at });
    }
    people = changed(people, { act: 'time', person: person('c'), time: '09:40' }, stamp);
    people = changed(people, { act: 'time', person: person('b'), time: '08:20' }, stamp);
    expect(ids(people)).toEqual(['b', 'c', 'a']);
    people = changed(people, { act: 'time', person: person('b') }, stamp);
    expect(ids(people)).toEqual(['c', 'a', 'b']);
    people = changed(people, { act: 'arrived', person: person('a') }, stamp);
    people = changed(people, { act: 'done', person: person('a') }, { at: 'later' });
    expect(people[1]).toMatchObject({ state: 'done', arrivedAt: stamp.at });
  });
});
