import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  accessEngines,
  hourMs,
  minuteMs,
  teamA,
  teamB,
  type AccessFixture,
} from '../access.testing.ts';
import type { AccessStore } from '../access-store.ts';
import type { Role } from '../../operations/operations.ts';
import { TestDesk } from '../sessions/desk.testing.ts';
import { newTokenHash } from '../sessions/signed-in.testing.ts';
import { validKeys, type DeskRow } from './desk.repository.ts';
import type { NewSession, SessionRow } from './session.repository.ts';

const issuer = 'https://id.example';
const pin = '290517';

async function deskIn(store: AccessStore, teamId = teamA): Promise<DeskRow> {
  const { code } = await store.desks.makeCode({ teamId, name: 'Desk' });
  return (await store.desks.enrol({ code, name: undefined, key: new TestDesk() }))!;
}

async function personIn(store: AccessStore, role: Role = 'clinician'): Promise<string> {
  const subject = randomUUID();
  const { staffId } = await store.staff.add({ teamId: teamA, name: 'Ines', role, issuer, subject });
  const { subject: same } = (await store.staff.list()).find((one) => one.staffId === staffId)!;
  return same!;
}

const begin = async (store: AccessStore, desk: DeskRow, subject: string): Promise<NewSession> =>
  await store.sessions.begin(desk, {
    ...{ issuer, subject, email: undefined },
    token: newTokenHash(),
  });

const seen = async (store: AccessStore, { token }: NewSession): Promise<SessionRow | undefined> =>
  await store.sessions.find(token);

describe.each(accessEngines)('on $name', ({ name, withAccess }) => {
  /**
   * Two instances, a desk and a person. `beside` works at the same time: on SQLite that would be another process, since in
   * one the first to wait holds up the other.
   */
  async function withTwo(
    body: (
      fixture: AccessFixture & {
        another: AccessStore;
        beside: AccessStore;
        desk: DeskRow;
        subject: string;
      },
    ) => Promise<void>,
  ): Promise<void> {
    await withAccess(async (fixture) => {
      const { store } = fixture;
      const another = await fixture.openAnother();
      const [desk, subject] = [await deskIn(store), await personIn(store)];
      const beside = name === 'SQLite' ? store : another;
      await body(Object.assign(fixture, { another, beside, desk, subject }));
    });
  }

  it('every instance finds a session until it ends, in any of four ways', async () => {
    await withTwo(async ({ store, another, desk, subject, acts }) => {
      const person = (await store.staff.list())[0]!;
      const ways: Readonly<Record<string, (begun: NewSession) => Promise<void>>> = {
        sessionEnded: ({ session }) => another.sessions.end(session),
        sessionBegun: async () => {
          await begin(another, desk, subject);
        },
        deskRevoked: () => another.desks.revoke(desk.desk_id),
        staffDisabled: () => another.staff.disable(person.staffId),
      };
      let at = desk;
      for (const [act, end] of Object.entries(ways)) {
        if (act === 'staffDisabled') {
          at = await deskIn(store);
        }
        const begun = await begin(store, at, subject);
        expect([await seen(store, begun), await seen(another, begun)]).toEqual([
          expect.objectContaining({ staff_name: 'Ines', thumbprint: at.thumbprint }),
          expect.objectContaining({ session_id: begun.session.session_id }),
        ]);
        await end(begun);
        const told =
          act === 'deskRevoked'
            ? expect.objectContaining({ revoked_ms: expect.any(Number) as unknown })
            : undefined;
        expect([act, await seen(store, begun), await seen(another, begun)]).toEqual([
          ...[act, told, told],
        ]);
        expect(acts.at(-1)).toMatchObject({ operation: act, team_id: teamA });
      }
      await expect(begin(store, at, subject)).rejects.toMatchObject({ refusal: 'disabled' });
    });
  });

  it('a session expires after ten minutes unless it is renewed, and after twelve hours', async () => {
    await withTwo(async ({ store, clock, desk, subject }) => {
      const begun = await begin(store, desk, subject);
      const began = clock.nowMs;
      clock.nowMs += 10 * minuteMs - 1;
      while (clock.nowMs < began + 12 * hourMs - 10 * minuteMs) {
        expect(await store.sessions.renew(begun.session)).toMatchObject({
          expires_ms: clock.nowMs + 10 * minuteMs,
        });
        clock.nowMs += 10 * minuteMs - 1;
      }
      expect(await store.sessions.renew(begun.session)).toMatchObject({
        expires_ms: began + 12 * hourMs,
      });
      clock.nowMs = began + 12 * hourMs - 1;
      expect(await seen(store, begun)).toBeDefined();
      clock.nowMs += 1;
      expect(await seen(store, begun)).toBeUndefined();
      expect(await store.sessions.renew(begun.session)).toBeUndefined();
      const other = await begin(store, desk, subject);
      clock.nowMs += 10 * minuteMs;
      expect(await seen(store, other)).toBeUndefined();
      expect(await store.sessions.renew(other.session)).toBeUndefined();
    });
  });

  it('a locked session is not renewed until its PIN unlocks it', async () => {
    await withTwo(async ({ store, another, clock, desk, subject }) => {
      const begun = await begin(store, desk, subject);
      expect(await store.pins.unlock(begun.session, pin)).toEqual({ kind: 'no-pin' });
      await store.pins.set(begun.session, pin);
      await store.sessions.lock(begun.session);
      clock.nowMs += 2 * hourMs;
      const locked = (await seen(another, begun))!;
      expect(locked.locked_ms).not.toBeNull();
      expect(await another.sessions.renew(locked)).toBe('locked');
      // As read before the lock.
      expect(await another.sessions.renew(begun.session)).toBe('locked');
      expect(await seen(another, begun)).toEqual(locked);
      expect(await another.pins.unlock(locked, pin)).toEqual({ kind: 'unlocked' });
      expect(await seen(store, begun)).toMatchObject({
        locked_ms: null,
        expires_ms: clock.nowMs + 10 * minuteMs,
      });
    });
  });

  it('a lock and an unlocking are recorded only where they change something', async () => {
    await withTwo(async ({ store, another, acts, desk, subject }) => {
      const { session } = await begin(store, desk, subject);
      await store.pins.set(session, pin);
      const count = (operation: string): number =>
        acts.filter((act) => act.operation === operation).length;
      // `session` was read before the first lock.
      await store.sessions.lock(session);
      await another.sessions.lock(session);
      expect(count('sessionLocked')).toBe(1);
      await store.pins.unlock(session, pin);
      await another.pins.unlock(session, pin);
      expect(count('sessionUnlocked')).toBe(1);
      await store.sessions.lock(session);
      await store.sessions.end(session);
      await store.sessions.lock(session);
      await store.pins.unlock(session, pin);
      expect([count('sessionLocked'), count('sessionUnlocked')]).toEqual([2, 1]);
    });
  });

  it('five wrong PINs end a session, however many are tried at once on two instances', async () => {
    await withTwo(async ({ store, another, beside, acts, desk, subject }) => {
      const begun = await begin(store, desk, subject);
      await store.pins.set(begun.session, pin);
      await store.sessions.lock(begun.session);
      const tried = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? store : beside).pins.unlock(begun.session, '000001'),
        ),
      );
      const left = tried.map((one) => (one.kind === 'wrong' ? one.triesLeft : one.kind));
      expect(left.filter((one) => one !== 'tried-out').sort()).toEqual([1, 2, 3, 4]);
      expect(acts.filter(({ operation }) => operation === 'pinWrong')).toHaveLength(5);
      // Too late.
      expect(await another.pins.unlock(begun.session, pin)).toEqual({ kind: 'tried-out' });
      expect(await seen(another, begun)).toBeUndefined();
      // Signing in resets the tries.
      const again = await begin(another, desk, subject);
      expect(await store.pins.unlock(again.session, '000001')).toEqual({
        kind: 'wrong',
        triesLeft: 4,
      });
      expect(await store.pins.unlock(again.session, pin)).toEqual({ kind: 'unlocked' });
      expect(await store.pins.unlock(again.session, '000001')).toEqual({
        kind: 'wrong',
        triesLeft: 4,
      });
    });
  });

  it('two instances accept an ID token once', async () => {
    await withTwo(async ({ store, another, beside, clock, desk, subject }) => {
      const token = { hash: Buffer.alloc(32, 7), expiresMs: clock.nowMs + 5 * minuteMs };
      const identity = { issuer, subject, email: undefined, token };
      const attempts = await Promise.allSettled(
        [store, beside, store, beside].map((one) => one.sessions.begin(desk, identity)),
      );
      expect(attempts.map(({ status }) => status).sort()).toEqual([
        ...['fulfilled', 'rejected', 'rejected', 'rejected'],
      ]);
      await expect(another.sessions.begin(desk, identity)).rejects.toMatchObject({
        refusal: 'used',
      });
    });
  });

  it('a badge names only a person with a session at the desk', async () => {
    await withTwo(async ({ store, desk, subject }) => {
      const { staffId } = (await store.staff.list())[0]!;
      await store.staff.setBadge(staffId, ' 0012345678 ');
      const read = (of = desk): Promise<unknown> =>
        store.sessions.findBadgeHolder('0012345678\r\n', of.desk_id);
      expect(await read()).toBeUndefined();
      const { session } = await begin(store, desk, subject);
      expect(await read()).toEqual({ staff_id: staffId, name: 'Ines' });
      expect(await read(await deskIn(store))).toBeUndefined();
      await store.sessions.lock(session);
      expect(await read()).toEqual({ staff_id: staffId, name: 'Ines' });
      const other = await store.staff.add({ teamId: teamA, name: 'Noor', role: 'billing' });
      await expect(store.staff.setBadge(other.staffId, '0012345678')).rejects.toThrow(staffId);
      await store.staff.disable(staffId);
      expect(await read()).toBeUndefined();
    });
  });

  it('no change takes effect that cannot be recorded', async () => {
    await withTwo(async (fixture) => {
      const { store, desk, subject } = fixture;
      const begun = await begin(store, desk, subject);
      await store.pins.set(begun.session, pin);
      const { staffId } = (await store.staff.list())[0]!;
      const spare = await deskIn(store);
      const [offered, next] = [new TestDesk().thumbprint, new TestDesk().thumbprint];
      await store.desks.offerKey(desk.desk_id, { by: desk.thumbprint, next: offered });
      const { session: locked } = await begin(store, spare, subject);
      await store.sessions.lock(locked);
      const before = JSON.stringify([await store.staff.list(), await store.desks.list()]);
      fixture.instead = () => Promise.reject(new Error('no log'));
      const { code } = { code: 'AAAA-AAAAAA' };
      const attempts = [
        () => store.staff.disable(staffId),
        () => store.staff.setBadge(staffId, '12345'),
        () => store.staff.add({ teamId: teamA, name: 'x', role: 'billing' }),
        () => store.desks.revoke(desk.desk_id),
        () => store.desks.turnKey(desk.desk_id, offered),
        () => store.desks.offerKey(spare.desk_id, { by: spare.thumbprint, next }),
        () => store.desks.makeCode({ teamId: teamA, name: 'x' }),
        () => begin(store, desk, subject),
        () => store.sessions.lock(begun.session),
        () => store.sessions.end(begun.session),
        () => store.pins.set(begun.session, '718293'),
        () => store.pins.unlock(locked, pin),
      ];
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toThrow('no log');
      }
      fixture.instead = undefined;
      expect(
        await store.desks.enrol({ code, name: undefined, key: new TestDesk() }),
      ).toBeUndefined();
      expect(JSON.stringify([await store.staff.list(), await store.desks.list()])).toBe(before);
      expect(await seen(store, begun)).toMatchObject({ locked_ms: null });
      expect(await store.pins.unlock(begun.session, pin)).toEqual({ kind: 'unlocked' });
    });
  });

  it('a code enrols one desk within ten minutes and five tries', async () => {
    await withTwo(async ({ store, beside, clock }) => {
      const make = async (): Promise<string> =>
        (await store.desks.makeCode({ teamId: teamB, name: 'Desk 2' })).code;
      const enrol = (code: string, of = store, key = new TestDesk()): Promise<unknown> =>
        of.desks.enrol({ code, name: undefined, key });
      const code = await make();
      const typed = code.toLowerCase().replace('-', ' ');
      const both = await Promise.all([enrol(typed), enrol(typed, beside)]);
      expect(both.filter((one) => one !== undefined)).toEqual([
        expect.objectContaining({ team_id: teamB, name: 'Desk 2' }),
      ]);
      const late = await make();
      clock.nowMs += 10 * minuteMs;
      expect(await enrol(late)).toBeUndefined();
      const tried = await make();
      const wrong = tried.slice(0, 5) + (tried.endsWith('000000') ? '111111' : '000000');
      const tries = await Promise.all(
        Array.from({ length: 5 }, (_, index) => enrol(wrong, index % 2 === 0 ? store : beside)),
      );
      expect(tries).toEqual(Array(5).fill(undefined));
      expect(await enrol(tried)).toBeUndefined();
      const key = new TestDesk();
      expect(await enrol(await make(), store, key)).toBeDefined();
      expect(await enrol(await make(), store, key)).toBeUndefined();
    });
  });

  it('the key of a desk is valid until the next one is used, and ten minutes more; a wrong offer changes nothing', async () => {
    await withTwo(async ({ store, another, beside, clock, acts, desk }) => {
      const { desk_id: id, thumbprint: first } = desk;
      const [second, third, other] = [new TestDesk(), new TestDesk(), await deskIn(store)];
      const keys = async (of = another): Promise<unknown> =>
        validKeys((await of.desks.find(id))!, clock.nowMs);
      const offer = (by: string, { thumbprint: next }: { thumbprint: string }): Promise<void> =>
        beside.desks.offerKey(id, { by, next });
      const state = async (): Promise<unknown> => [await store.desks.find(id), acts.length];
      await offer(first, third);
      // A request that arrives late.
      await expect(offer(first, second)).rejects.toThrow('This desk has two keys.');
      clock.nowMs += 10 * minuteMs;
      await offer(first, second);
      let before = await state();
      // The same once more, as a replay on another instance, is no second record.
      await offer(first, second);
      await store.desks.turnKey(id, third.thumbprint);
      expect(await state()).toEqual(before);
      clock.nowMs += 400 * 24 * hourMs;
      await expect(offer(first, other)).rejects.toThrow('A desk has this key already.');
      await expect(offer(first, { thumbprint: first })).rejects.toThrow('has this key already.');
      await expect(offer(second.thumbprint, third)).rejects.toThrow('Only the key of the desk');
      const taken = { by: other.thumbprint, next: second.thumbprint };
      await expect(store.desks.offerKey(other.desk_id, taken)).rejects.toThrow('has this key');
      expect(await state()).toEqual(before);
      expect(await keys()).toEqual([first, second.thumbprint]);
      await Promise.all([
        store.desks.turnKey(id, second.thumbprint),
        beside.desks.turnKey(id, second.thumbprint),
      ]);
      const until = new Date(clock.nowMs + 10 * minuteMs).toISOString();
      const by = { deskId: id };
      expect(acts.slice(-3)).toMatchObject([
        { operation: 'deskKeyOffered', by, details: { desk_id: id, thumbprint: third.thumbprint } },
        {
          operation: 'deskKeyOffered',
          by,
          details: { desk_id: id, thumbprint: second.thumbprint },
        },
        { operation: 'deskKeyTurned', by, details: { desk_id: id, old_valid_until: until } },
      ]);
      before = await state();
      clock.nowMs += 10 * minuteMs - 1;
      expect(await keys()).toEqual([second.thumbprint, first]);
      await expect(offer(second.thumbprint, third)).rejects.toThrow(`after ${until}.`);
      await store.desks.turnKey(id, first);
      clock.nowMs += 1;
      expect(await keys()).toEqual([second.thumbprint]);
      await expect(offer(first, third)).rejects.toThrow('Only the key of the desk');
      expect(await state()).toEqual(before);
      await offer(second.thumbprint, third);
      await store.desks.revoke(id);
      await expect(offer(second.thumbprint, new TestDesk())).rejects.toThrow('No such desk.');
      before = JSON.stringify(await store.desks.list());
      await store.desks.turnKey(id, third.thumbprint);
      expect(JSON.stringify(await store.desks.list())).toBe(before);
    });
  });

  it('disabling a person revokes their keys, rotated ones included', async () => {
    await withTwo(async ({ store }) => {
      const { staffId } = await store.staff.add({ teamId: teamA, name: 'Noor', role: 'billing' });
      const requested = { teamId: teamA, role: 'billing', label: 'Noor', staffId } as const;
      const made = await store.keys.create(requested);
      const next = await store.keys.rotate(made.keyId);
      for (const { keyId } of [made, next]) {
        expect((await store.staff.findByKey(keyId))?.staffId).toBe(staffId);
      }
      await expect(store.keys.create({ ...requested, role: 'auditor' })).rejects.toThrow('billing');
      await expect(store.keys.create({ ...requested, staffId: randomUUID() })).rejects.toThrow(
        'No such',
      );
      await store.staff.disable(staffId);
      expect(await store.keys.authenticate(next.key, '192.0.2.7')).toBeUndefined();
      await expect(store.keys.create(requested)).rejects.toThrow('disabled');
    });
  });

  it('a disabled person who is added again has a new ID and the same sign-in', async () => {
    await withAccess(async ({ store }) => {
      const requested = { teamId: teamA, name: 'Ines', role: 'clinician', issuer, subject: 'ines' };
      const { staffId } = await store.staff.add(requested);
      await expect(store.staff.add(requested)).rejects.toThrow(staffId);
      await store.staff.disable(staffId);
      const desk = await deskIn(store);
      await expect(begin(store, desk, 'ines')).rejects.toMatchObject({ refusal: 'disabled' });
      const again = await store.staff.add(requested);
      expect((await begin(store, desk, 'ines')).session.staff_id).toBe(again.staffId);
    });
  });

  const refusedPeople = [
    [{ name: ' ' }, 'A name must be'],
    [{ name: 'x'.repeat(101) }, 'A name must be'],
    [{ name: 'two\nlines' }, 'A name must be'],
    [{ role: 'integration' }, 'The role must be'],
    [{ role: 'root' }, 'The role must be'],
    [{ teamId: 'nobody' }, 'The team id must be'],
    [{ email: 'nobody' }, 'The e-mail address must'],
    [{ subject: 'x' }, 'Issuer and subject'],
  ] as const;

  it('a person without a valid name, role, team or address is refused', async () => {
    await withAccess(async ({ store }) => {
      for (const [changes, message] of refusedPeople) {
        const requested = { teamId: teamA, name: 'Ines', role: 'clinician', ...changes };
        await expect(store.staff.add(requested)).rejects.toThrow(message);
      }
      await expect(store.staff.disable(randomUUID())).rejects.toThrow('No such staff member');
      await expect(store.desks.revoke('x')).rejects.toThrow('No such desk');
    });
  });
});
