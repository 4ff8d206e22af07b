import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  accessEngines,
  hourMs,
  minuteMs,
  teamA,
  teamB,
  openAccess as openSqlite,
} from '../access.testing.ts';
import type { AccessStore } from '../access-store.ts';
import { TestDesk } from '../sessions/desk.testing.ts';
import { beginSession, newDesk, newToken } from '../sessions/signed-in.testing.ts';
import { listValidKeys, type DeskRow } from './desk.repository.ts';
import type { NewSession, SessionRow } from './session.repository.ts';

const issuer = 'https://id.example';
const ines = { teamId: teamA, name: 'Ines', role: 'clinician', issuer, subject: 'ines' };
const pin = '290517';
const wrongPin = '000001';

async function enrol(
  store: AccessStore,
  code: string,
  key = new TestDesk(),
): Promise<DeskRow | undefined> {
  return await store.desks.enrol({ code, name: undefined, key });
}

const begin = async (store: AccessStore, desk: DeskRow): Promise<NewSession> =>
  await beginSession(store, desk, ines);

const find = async (store: AccessStore, { token }: NewSession): Promise<SessionRow | undefined> =>
  await store.sessions.find(token);

const inTurn = <T>(count: number, stores: AccessStore[], act: (store: AccessStore) => T): T[] =>
  Array.from({ length: count }, (_, index) => act(stores[index % stores.length]!));

describe.each(accessEngines)('on $name', ({ name, openAccess }) => {
  /**
   * Two instances, a desk and a person. `both` work at the same time: on SQLite that would be another process, since in
   * one the first to wait holds up the other.
   */
  async function openTwo() {
    const fixture = await openAccess();
    const { store } = fixture;
    const another = await fixture.openAnother();
    const { staffId } = await store.staff.add(ines);
    const both = name === 'SQLite' ? [store] : [store, another];
    const desk = await newDesk(store, teamA);
    return Object.assign(fixture, { another, both, desk, staffId });
  }

  it('every instance finds a session until it ends, in any of four ways', async () => {
    const { store, another, desk, staffId, acts } = await openTwo();
    let at = desk;
    for (const [act, end] of [
      ['sessionEnded', ({ session }: NewSession) => another.sessions.end(session)],
      ['sessionBegun', () => begin(another, at)],
      ['deskRevoked', () => another.desks.revoke(at.desk_id)],
      ['staffDisabled', () => another.staff.disable(staffId)],
    ] as const) {
      if (act === 'staffDisabled') at = await newDesk(store, teamA);
      const begun = await begin(store, at);
      const found = { staff_name: 'Ines', thumbprint: at.thumbprint };
      for (const one of [store, another]) expect(await find(one, begun)).toMatchObject(found);
      await end(begun);
      for (const one of [store, another]) {
        const row = await find(one, begun);
        // The row of a revoked desk stays readable, so that the desk can be told.
        const revoked = act === 'deskRevoked' ? expect.any(Number) : undefined;
        expect([act, row?.revoked_ms]).toEqual([act, revoked]);
      }
      expect(acts.at(-1)).toMatchObject({ operation: act, team_id: teamA });
    }
    await expect(begin(store, at)).rejects.toMatchObject({ refusal: 'disabled' });
    // A person who is added again has a new ID, and the same sign-in.
    const again = await store.staff.add(ines);
    await expect(store.staff.add(ines)).rejects.toThrow(again.staffId);
    expect((await begin(store, at)).session.staff_id).toBe(again.staffId);
  });

  it('a session expires after ten minutes unless it is renewed, and after twelve hours', async () => {
    const { store, clock, desk } = await openTwo();
    const begun = await begin(store, desk);
    const end = clock.nowMs + 12 * hourMs;
    for (clock.nowMs += 10 * minuteMs - 1; clock.nowMs < end; clock.nowMs += 10 * minuteMs - 1) {
      const expires = Math.min(clock.nowMs + 10 * minuteMs, end);
      expect(await store.sessions.renew(begun.session)).toMatchObject({ expires_ms: expires });
    }
    clock.nowMs = end - 1;
    expect(await find(store, begun)).toBeDefined();
    clock.nowMs = end;
    const other = await begin(store, desk);
    for (const over of [begun, other]) {
      if (over === other) clock.nowMs += 10 * minuteMs;
      expect(await find(store, over)).toBeUndefined();
      expect(await store.sessions.renew(over.session)).toBeUndefined();
    }
  });

  it('a locked session is not renewed until its PIN unlocks it', async () => {
    const { store, another, clock, desk } = await openTwo();
    const begun = await begin(store, desk);
    expect(await store.pins.unlock(begun.session, pin)).toEqual({ kind: 'no-pin' });
    await store.pins.set(begun.session, pin);
    await store.sessions.lock(begun.session);
    clock.nowMs += 2 * hourMs;
    const locked = (await find(another, begun))!;
    expect(locked.locked_ms).not.toBeNull();
    // `begun` was read before the lock.
    for (const row of [locked, begun.session]) {
      expect(await another.sessions.renew(row)).toBe('locked');
    }
    expect(await find(another, begun)).toEqual(locked);
    expect(await another.pins.unlock(locked, pin)).toEqual({ kind: 'unlocked' });
    const expires = clock.nowMs + 10 * minuteMs;
    expect(await find(store, begun)).toMatchObject({ locked_ms: null, expires_ms: expires });
  });

  it('a lock and an unlocking are recorded only where they change something', async () => {
    const { store, another, acts, desk } = await openTwo();
    const { session } = await begin(store, desk);
    await store.pins.set(session, pin);
    const before = acts.length;
    await store.sessions.lock(session);
    await another.sessions.lock(session);
    await store.pins.unlock(session, pin);
    await another.pins.unlock(session, pin);
    await store.sessions.lock(session);
    await store.sessions.end(session);
    await store.sessions.lock(session);
    await store.pins.unlock(session, pin);
    expect(acts.slice(before).map(({ operation }) => operation)).toEqual([
      ...['sessionLocked', 'sessionUnlocked', 'sessionLocked', 'sessionEnded'],
    ]);
  });

  it('five wrong PINs end a session, however many are tried at once on two instances', async () => {
    const { store, another, both, acts, desk } = await openTwo();
    const begun = await begin(store, desk);
    await store.pins.set(begun.session, pin);
    await store.sessions.lock(begun.session);
    const tried = await Promise.all(
      inTurn(12, both, ({ pins }) => pins.unlock(begun.session, wrongPin)),
    );
    const left = tried.flatMap((one) => (one.kind === 'wrong' ? [one.triesLeft] : []));
    expect(left.toSorted()).toEqual([1, 2, 3, 4]);
    expect(tried.filter(({ kind }) => kind === 'tried-out')).toHaveLength(8);
    expect(acts.filter(({ operation }) => operation === 'pinWrong')).toHaveLength(5);
    expect(await another.pins.unlock(begun.session, pin)).toEqual({ kind: 'tried-out' });
    expect(await find(another, begun)).toBeUndefined();
    // A new sign-in, and the correct PIN, reset the number of tries.
    const { session } = await begin(another, desk);
    const wrong = { kind: 'wrong', triesLeft: 4 };
    expect(await store.pins.unlock(session, wrongPin)).toEqual(wrong);
    expect(await store.pins.unlock(session, pin)).toEqual({ kind: 'unlocked' });
    expect(await store.pins.unlock(session, wrongPin)).toEqual(wrong);
  });

  it('two instances accept an ID token once', async () => {
    const { another, both, desk } = await openTwo();
    const identity = { issuer, subject: 'ines', email: undefined, token: newToken() };
    const attempts = await Promise.allSettled(
      inTurn(4, both, ({ sessions }) => sessions.begin(desk, identity)),
    );
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected'],
    ]);
    const again = another.sessions.begin(desk, identity);
    await expect(again).rejects.toMatchObject({ refusal: 'used' });
  });

  it('a badge names only a person with a session at the desk', async () => {
    const { store, desk, staffId } = await openTwo();
    await store.staff.setBadge(staffId, ' 0012345678 ');
    const read = (at = desk): Promise<unknown> =>
      store.sessions.findBadgeHolder('0012345678\r\n', at.desk_id);
    expect(await read()).toBeUndefined();
    const { session } = await begin(store, desk);
    await store.sessions.lock(session);
    expect(await read()).toEqual({ staff_id: staffId, name: 'Ines' });
    expect(await read(await newDesk(store, teamA))).toBeUndefined();
    const other = await store.staff.add({ teamId: teamA, name: 'Noor', role: 'billing' });
    await expect(store.staff.setBadge(other.staffId, '0012345678')).rejects.toThrow(staffId);
    await store.staff.disable(staffId);
    expect(await read()).toBeUndefined();
  });

  it('no change takes effect that cannot be recorded', async () => {
    const fixture = await openTwo();
    const { store, desk, staffId } = fixture;
    const begun = await begin(store, desk);
    await store.pins.set(begun.session, pin);
    const spare = await newDesk(store, teamA);
    const [offered, next] = [new TestDesk().thumbprint, new TestDesk().thumbprint];
    await store.desks.offerKey(desk.desk_id, { by: desk.thumbprint, next: offered });
    const { session: locked } = await begin(store, spare);
    await store.sessions.lock(locked);
    const { code } = await store.desks.makeCode({ teamId: teamA, name: 'Desk 2' });
    const key = { teamId: teamA, role: 'billing', label: 'x' } as const;
    const { keyId } = await store.keys.create(key);
    const by = { ...key, keyId };
    const why = { reasonCode: 'other', text: 'x'.repeat(20), userId: teamB } as const;
    const { grantId } = await store.breakGlass.ask(by, why);
    const review = { by: { name: 'Ada' }, outcome: 'justified' } as const;
    const state = async (): Promise<unknown> => [
      ...[await store.staff.list(), await store.desks.list(), await store.keys.list()],
      await store.breakGlass.list({ all: true }),
    ];
    const before = await state();
    fixture.instead = () => Promise.reject(new Error('no log'));
    for (const attempt of [
      () => store.teams.create(teamB, 'x'),
      () => store.keys.create(key),
      () => store.keys.rotate(keyId),
      () => store.keys.revoke(keyId),
      () => store.staff.add({ teamId: teamA, name: 'x', role: 'billing' }),
      () => store.staff.disable(staffId),
      () => store.staff.setBadge(staffId, '12345'),
      () => store.desks.makeCode({ teamId: teamA, name: 'x' }),
      () => enrol(store, code),
      () => store.desks.revoke(desk.desk_id),
      () => store.desks.offerKey(spare.desk_id, { by: spare.thumbprint, next }),
      () => store.desks.activateOfferedKey(desk.desk_id, offered),
      () => begin(store, desk),
      () => store.sessions.lock(begun.session),
      () => store.sessions.end(begun.session),
      () => store.pins.set(begun.session, '718293'),
      () => store.pins.unlock(locked, pin),
      () => store.breakGlass.ask(by, { ...why, userId: teamA }),
      () => store.breakGlass.end(by, grantId),
      () => store.breakGlass.review(grantId, review),
      () => store.secrets.rotateCursorSecret(),
    ]) {
      await expect(attempt()).rejects.toThrow('no log');
    }
    fixture.instead = undefined;
    expect(await state()).toEqual(before);
    expect(await find(store, begun)).toMatchObject({ locked_ms: null });
    expect(await store.pins.unlock(begun.session, pin)).toEqual({ kind: 'unlocked' });
    expect(await enrol(store, code)).toBeDefined();
  });

  it('a code enrols one desk within ten minutes and five tries', async () => {
    const { store, both, clock } = await openTwo();
    const make = async (): Promise<string> =>
      (await store.desks.makeCode({ teamId: teamB, name: 'Desk 2' })).code;
    const typed = (await make()).toLowerCase().replace('-', ' ');
    const enrolled = await Promise.all(inTurn(2, both, (one) => enrol(one, typed)));
    expect(enrolled.filter((one) => one !== undefined)).toMatchObject([
      { team_id: teamB, name: 'Desk 2' },
    ]);
    const late = await make();
    clock.nowMs += 10 * minuteMs;
    expect(await enrol(store, late)).toBeUndefined();
    const tried = await make();
    const wrong = tried.slice(0, 5) + (tried.endsWith('000000') ? '111111' : '000000');
    const tries = await Promise.all(inTurn(5, both, (one) => enrol(one, wrong)));
    expect([...tries, await enrol(store, tried)]).toEqual(Array(6).fill(undefined));
    const key = new TestDesk();
    expect(await enrol(store, await make(), key)).toBeDefined();
    expect(await enrol(store, await make(), key)).toBeUndefined();
  });

  it('the key of a desk is valid until the next one is used, and ten minutes more; a wrong offer changes nothing', async () => {
    const { store, another, both, clock, acts, desk } = await openTwo();
    const { desk_id: id, thumbprint: first } = desk;
    const [second, third] = [new TestDesk().thumbprint, new TestDesk().thumbprint];
    const other = await newDesk(store, teamA);
    const keys = async (): Promise<unknown> =>
      listValidKeys((await another.desks.find(id))!, clock.nowMs);
    const offer = (by: string, next: string): Promise<void> =>
      both.at(-1)!.desks.offerKey(id, { by, next });
    const state = async (): Promise<unknown> => [await store.desks.list(), acts.length];
    await offer(first, third);
    // This request arrives late.
    await expect(offer(first, second)).rejects.toThrow('This desk has two keys.');
    clock.nowMs += 10 * minuteMs;
    await offer(first, second);
    let before = await state();
    // Repeating the request on another instance adds no second record.
    await offer(first, second);
    await store.desks.activateOfferedKey(id, third);
    clock.nowMs += 400 * 24 * hourMs;
    await expect(offer(first, other.thumbprint)).rejects.toThrow('A desk has this key already.');
    await expect(offer(first, first)).rejects.toThrow('A desk has this key already.');
    await expect(offer(second, third)).rejects.toThrow('Only the key of the desk');
    const taken = { by: other.thumbprint, next: second };
    await expect(store.desks.offerKey(other.desk_id, taken)).rejects.toThrow('has this key');
    expect(await state()).toEqual(before);
    expect(await keys()).toEqual([first, second]);
    await Promise.all(inTurn(2, both, ({ desks }) => desks.activateOfferedKey(id, second)));
    const until = new Date(clock.nowMs + 10 * minuteMs).toISOString();
    const details = { desk_id: id, thumbprint: second };
    expect(acts.slice(-2)).toMatchObject([
      { operation: 'deskKeyOffered', by: { deskId: id }, details },
      { operation: 'deskKeyTurned', details: { ...details, old_valid_until: until } },
    ]);
    before = await state();
    clock.nowMs += 10 * minuteMs - 1;
    expect(await keys()).toEqual([second, first]);
    await expect(offer(second, third)).rejects.toThrow(`after ${until}.`);
    await store.desks.activateOfferedKey(id, first);
    clock.nowMs += 1;
    expect(await keys()).toEqual([second]);
    await expect(offer(first, third)).rejects.toThrow('Only the key of the desk');
    expect(await state()).toEqual(before);
    await offer(second, third);
    await store.desks.revoke(id);
    before = await state();
    await expect(offer(second, new TestDesk().thumbprint)).rejects.toThrow('No such desk.');
    await store.desks.activateOfferedKey(id, third);
    expect(await state()).toEqual(before);
  });

  it('disabling a person revokes their keys, rotated ones included', async () => {
    const { store, staffId } = await openTwo();
    const requested = { teamId: teamA, role: 'clinician', label: 'Ines', staffId } as const;
    const created = await store.keys.create(requested);
    const next = await store.keys.rotate(created.keyId);
    for (const { keyId } of [created, next]) {
      expect(await store.staff.findByKey(keyId)).toMatchObject({ staffId });
    }
    for (const [wrong, message] of [
      [{ role: 'auditor' as const }, 'clinician of the team'],
      [{ teamId: teamB }, 'clinician of the team'],
      [{ staffId: randomUUID() }, 'No such staff member'],
    ] as const) {
      await expect(store.keys.create({ ...requested, ...wrong })).rejects.toThrow(message);
    }
    await store.staff.disable(staffId);
    expect(await store.keys.authenticate(next.key, '192.0.2.7')).toBeUndefined();
    await expect(store.keys.create(requested)).rejects.toThrow('disabled');
  });
});

it('a person with a wrong field, and an unknown person or desk, is refused', async () => {
  const { store } = await openSqlite();
  for (const [changes, message] of [
    [{ name: ' ' }, 'A name must be'],
    [{ name: 'x'.repeat(101) }, 'A name must be'],
    [{ name: 'two\nlines' }, 'A name must be'],
    [{ role: 'integration' }, 'The role must be'],
    [{ role: 'root' }, 'The role must be'],
    [{ teamId: 'nobody' }, 'The team id must be'],
    [{ email: 'nobody' }, 'The e-mail address must'],
    [{ subject: undefined }, 'Issuer and subject'],
  ] as const) {
    await expect(store.staff.add({ ...ines, ...changes })).rejects.toThrow(message);
  }
  await expect(store.staff.disable(randomUUID())).rejects.toThrow('No such staff member');
  await expect(store.desks.revoke('x')).rejects.toThrow('No such desk');
});
