import { describe, expect, it } from '@jest/globals';
import type { Status } from '../../bridge/app-state.ts';
import { TodayLists } from './today-lists.ts';

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
const person = {
  ...{ userId: '11111111-1111-4111-8111-111111111111', clientUserId: 'MRN-000101' },
  ...{ name: 'Amara Okonkwo-Lindqvist', birthDate: '1985-03-07', isDone: false },
};

function lists(at = { now: new Date(2026, 10, 22, 23, 59) }): TodayLists {
  return new TodayLists(() => at.now);
}

describe('the list of the day', () => {
  it('is of whoever is at the desk, and of nobody else', () => {
    const today = lists();
    today.set(priya, [person]);
    expect(today.get(priya)).toEqual([person]);
    expect(today.get(leila)).toEqual([]);
    expect(today.get({ ...priya, address: 'https://other.example' })).toEqual([]);
    today.set(leila, [{ ...person, isDone: true }]);
    expect(today.get(priya)).toEqual([person]);
  });

  it('is shown and changed by nobody while it is locked, and is there again after', () => {
    const today = lists();
    today.set(priya, [person]);
    const locked: Status = { ...priya, phase: 'locked' };
    expect(today.get(locked)).toEqual([]);
    today.set(locked, []);
    today.keepFor(locked);
    expect(today.get(priya)).toEqual([person]);
  });

  it('is gone once its person has signed out, also where somebody else stays', () => {
    const today = lists();
    today.set(priya, [person]);
    today.set(leila, [person]);
    today.keepFor({ ...leila, people: [card('leila')] });
    expect(today.get(priya)).toEqual([]);
    expect(today.get(leila)).toEqual([person]);
    today.keepFor(signedOut);
    expect(today.get(leila)).toEqual([]);
  });

  it('of a key goes with the key', () => {
    const today = lists();
    const byKey: Status = { ...signedOut, phase: 'signedIn', keyId: 'k1' };
    today.set(byKey, [person]);
    today.keepFor({ ...byKey, phase: 'locked' });
    expect(today.get(byKey)).toEqual([person]);
    today.keepFor({ ...signedOut, keyId: 'k1' });
    expect(today.get(byKey)).toEqual([]);
  });

  it('is gone at midnight', () => {
    const at = { now: new Date(2026, 10, 22, 23, 59) };
    const today = lists(at);
    today.set(priya, [person]);
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
      today.set(there, [person]);
      at.now = new Date(before);
      expect(today.get(there)).toEqual([person]);
      at.now = new Date(after);
      today.forgetYesterday();
      expect(today.get(there)).toEqual([]);
    }
  });
});
