import type { BreakGlassReason } from '@caregate/domain';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  accessEngines,
  dayMs,
  hourMs,
  minuteMs,
  teamA,
  teamB,
  type AccessFixture,
} from '../access.testing.ts';
import type { AccessStore } from '../access-store.ts';
import type { StaffPrincipal } from '../caller.ts';
import { beginSession, newDesk } from '../sessions/signed-in.testing.ts';
import { toPrincipal } from './session.repository.ts';
import { MOST_GRANTS } from './grant.repository.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const another = 'a0000000-0000-4000-8000-00000000000b';
const requested = (userId = patient) => ({
  reasonCode: 'emergency_treatment' as BreakGlassReason,
  text: 'Unconscious at the front desk, lab values needed',
  userId,
});
const auditor = { keyId: 'auditor', role: 'auditor' } as const;
const reviewer = { by: auditor, outcome: 'justified' } as const;

async function keyOf({ store }: AccessFixture, label = 'Desk 1', teamId = teamA) {
  const role = 'front_desk' as const;
  const { keyId } = await store.keys.create({ teamId, role, label });
  return { keyId, teamId, role };
}

async function signedInTwice(store: AccessStore): Promise<StaffPrincipal[]> {
  const ines = { issuer: 'https://id.example', subject: 'ines' };
  await store.staff.add({ teamId: teamA, name: 'Ines', role: 'billing', ...ines });
  const [desk, ward] = [await newDesk(store, teamA), await newDesk(store, teamA)];
  const begun = [await beginSession(store, desk, ines), await beginSession(store, ward, ines)];
  return begun.map(({ session }) => toPrincipal(session));
}

describe.each(accessEngines)('emergency access on $name', ({ openAccess }) => {
  it('raises an alarm for each grant, from the third unreviewed one, and above five of a person in a day', async () => {
    const fixture = await openAccess();
    const { store, clock } = fixture;
    const alarms: unknown[] = [];
    for (const name of ['break-glass', 'break-glass-unreviewed', 'break-glass-many'] as const) {
      store.database.events.on(name, ({ teamId, ...facts }: { teamId: string }) => {
        if (teamId === teamA) alarms.push(facts);
      });
    }
    const raised = (): unknown[] => alarms.splice(0);
    let by = await keyOf(fixture);
    const ask = async (): Promise<string> => {
      clock.nowMs += 40 * minuteMs;
      return (await store.breakGlass.ask(by, requested())).grantId;
    };
    await store.breakGlass.ask(await keyOf(fixture, 'Desk 1', teamB), requested());
    const ids = [await ask(), await ask()];
    expect(raised()).toEqual(ids.map((grantId) => ({ keyId: by.keyId, grantId })));
    const third = await ask();
    expect(raised()).toEqual([{ keyId: by.keyId, grantId: third }, { unreviewed: 3 }]);
    for (const grantId of [...ids, third]) await store.breakGlass.review(grantId, reviewer);
    for (let reviewed = 3; reviewed < 5; reviewed += 1) {
      const grantId = await ask();
      expect(raised()).toEqual([{ keyId: by.keyId, grantId }]);
      await store.breakGlass.review(grantId, reviewer);
    }
    // A rotated key belongs to the same person; a key with another label belongs to another person.
    await store.breakGlass.ask(await keyOf(fixture, 'Desk 2'), requested());
    expect(raised()).toHaveLength(1);
    const { keyId } = await store.keys.rotate(by.keyId);
    by = { ...by, keyId };
    await ask();
    expect(raised()).toContainEqual({ keyId, grants: 6 });
    clock.nowMs += dayMs;
    await ask();
    expect(raised()).not.toContainEqual(expect.objectContaining({ grants: expect.anything() }));
  });

  it('lists unreviewed grants oldest first, all newest first, page by page', async () => {
    const fixture = await openAccess();
    const { store, clock } = fixture;
    const { breakGlass } = store;
    const first = await breakGlass.ask(await keyOf(fixture), requested());
    clock.nowMs += 1;
    const created = [first.grantId];
    for (let holder = 2; holder <= 6; holder += 1) {
      const own = await keyOf(fixture, `Desk ${holder}`);
      for (let count = 0; count < MOST_GRANTS; count += 1) {
        // Some grants have the same time.
        clock.nowMs += count % 2;
        created.push((await breakGlass.ask(own, requested(randomUUID()))).grantId);
      }
    }
    const read = async (all: boolean): Promise<string[]> => {
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const page = (await breakGlass.readPage({ teamId: teamA, all, after }))!;
        ids.push(...page.grants.map(({ grant_id: id }) => id));
        after = page.next;
      } while (after !== undefined);
      return ids;
    };
    const open = await read(false);
    expect(open[0]).toBe(first.grantId);
    expect(open.toSorted()).toEqual(created.toSorted());
    expect(await read(true)).toEqual(open.toReversed());
    expect((await breakGlass.list({ all: false })).map(({ grant_id: id }) => id)).toEqual(open);
    await breakGlass.review(open[99]!, reviewer);
    const behind = { all: false, after: open[99] };
    const next = await breakGlass.readPage({ ...behind, teamId: teamA });
    expect(next?.grants[0]?.grant_id).toBe(open[100]);
    expect(await breakGlass.readPage({ ...behind, teamId: teamB })).toBeUndefined();
  });

  it('accepts at most 50 grants of one person in 30 minutes, ended ones included', async () => {
    const fixture = await openAccess();
    const { store, clock } = fixture;
    const desk = await keyOf(fixture);
    for (let count = 0; count < MOST_GRANTS; count += 1) {
      const { grantId } = await store.breakGlass.ask(desk, requested(randomUUID()));
      await store.breakGlass.end(desk, grantId);
    }
    const refusal = { reason: 'too-many' };
    await expect(store.breakGlass.ask(desk, requested())).rejects.toMatchObject(refusal);
    await store.breakGlass.ask(await keyOf(fixture, 'Desk 2'), requested());
    clock.nowMs += 30 * minuteMs;
    await store.breakGlass.ask(desk, requested());
  });

  it('is overdue for review after 72 hours', async () => {
    const fixture = await openAccess();
    const { store, clock } = fixture;
    const { grantId } = await store.breakGlass.ask(await keyOf(fixture), requested());
    clock.nowMs += 72 * hourMs;
    expect(await store.breakGlass.list({ all: false })).toMatchObject([{ overdue: false }]);
    clock.nowMs += 1;
    expect(await store.breakGlass.list({ all: false })).toMatchObject([{ overdue: true }]);
    const reviewed = await store.breakGlass.review(grantId, reviewer);
    expect(reviewed).toMatchObject({ overdue: false, outcome: 'justified' });
  });

  it('is not reviewed by the person who asked, in any of their names, nor by another team', async () => {
    const fixture = await openAccess();
    const { store } = fixture;
    const [person] = await signedInTwice(store);
    const { staffId } = person!;
    const owned = { teamId: teamA, role: 'billing', label: 'Ines at home', staffId } as const;
    const { keyId } = await store.keys.create(owned);
    const key = { keyId, teamId: teamA, role: 'billing' } as const;
    const byKey = (await store.breakGlass.ask(key, requested())).grantId;
    const byPerson = (await store.breakGlass.ask(person!, requested())).grantId;
    for (const [id, more, reason] of [
      [byKey, { by: key }, 'own'],
      [byKey, { by: person! }, 'own'],
      [byPerson, { by: key }, 'own'],
      [byPerson, { by: person! }, 'own'],
      [byKey, { by: { name: ' ines AT home ' } }, 'own'],
      [byPerson, { by: { name: 'Ines' } }, 'own'],
      [byKey, { teamId: teamB }, 'unknown'],
      [patient, {}, 'unknown'],
      ['x', {}, 'unknown'],
    ] as const) {
      const review = store.breakGlass.review(id, { ...reviewer, ...more });
      await expect(review).rejects.toMatchObject({ reason });
    }
    expect(await store.breakGlass.list({ teamId: teamB, all: true })).toEqual([]);
    await store.breakGlass.review(byKey, { ...reviewer, by: { name: ' Ada ' }, teamId: teamA });
    const grants = await store.breakGlass.list({ teamId: teamA.toUpperCase(), all: true });
    expect(grants.map((grant) => grant.reviewed_by).toSorted()).toEqual(['Ada', null]);
  });

  it('returns the same review again without a second record, and refuses another one', async () => {
    const { store, acts } = await openAccess();
    const [person] = await signedInTwice(store);
    const note = 'talked to the ward';
    for (const by of [auditor, { name: 'Grace' }]) {
      const { grantId } = await store.breakGlass.ask(person!, requested());
      const done = { by, note, outcome: 'not_justified' } as const;
      const reviewed = await store.breakGlass.review(grantId, done);
      const recorded = acts.length;
      expect(await store.breakGlass.review(grantId.toUpperCase(), done)).toEqual(reviewed);
      for (const other of [
        { outcome: 'justified' as const },
        { note: undefined },
        { by: { ...auditor, keyId: 'another' } },
        { by: { name: 'Alan' } },
      ]) {
        const review = store.breakGlass.review(grantId, { ...done, ...other });
        await expect(review).rejects.toMatchObject({ reason: 'reviewed' });
      }
      expect(acts.length).toBe(recorded);
    }
  });

  it('returns the grant in force to a person who asks again, without a second record or alarm', async () => {
    const fixture = await openAccess();
    const { store, clock, acts } = fixture;
    const [person] = await signedInTwice(store);
    const other = await fixture.openAnother();
    const alarms: unknown[] = [];
    for (const { database } of [store, other]) {
      database.events.on('break-glass', (alarm) => alarms.push(alarm));
    }
    const both = await Promise.all([
      store.breakGlass.ask(person!, requested()),
      store.breakGlass.ask(person!, requested()),
    ]);
    const [granted, ...repeated] = both.toSorted((a) => (a.isRepeated ? 1 : -1));
    expect(granted).toMatchObject({ isRepeated: false });
    const recorded = acts.length;
    clock.nowMs += 30 * minuteMs - 1;
    const reworded = { ...requested(patient.toUpperCase()), text: 'The same in other words' };
    repeated.push(await other.breakGlass.ask(person!, reworded));
    for (const again of repeated) expect(again).toEqual({ ...granted, isRepeated: true });
    expect([acts.length, alarms.length]).toEqual([recorded, 1]);
    expect(await store.breakGlass.list({ all: true })).toMatchObject([
      { grant_id: granted!.grantId, text: requested().text },
    ]);
  });

  it('is a new grant for another patient, in another session, and after the first has ended', async () => {
    const fixture = await openAccess();
    const { store, clock } = fixture;
    const [person, elsewhere] = await signedInTwice(store);
    const ids = new Set<string>();
    const ask = async (who: StaffPrincipal, userId = patient): Promise<string> => {
      const { grantId, isRepeated } = await store.breakGlass.ask(who, requested(userId));
      expect(isRepeated).toBe(false);
      ids.add(grantId);
      return grantId;
    };
    await ask(person!);
    await ask(person!, another);
    await ask(elsewhere!);
    clock.nowMs += 30 * minuteMs;
    await store.breakGlass.end(person!, await ask(person!));
    const unjustified = { by: auditor, outcome: 'not_justified' } as const;
    await store.breakGlass.review(await ask(person!), unjustified);
    await ask(person!);
    // The grant expires while the request waits for the lock.
    let letGo = (): void => undefined;
    const holds = new Promise<void>((begun) => {
      fixture.instead = () => {
        begun();
        return new Promise((resolve) => (letGo = resolve));
      };
    });
    const other = store.keys.create({ teamId: teamA, role: 'billing', label: 'Desk 1' });
    await holds;
    fixture.instead = undefined;
    const again = ask(person!);
    clock.nowMs += 30 * minuteMs;
    letGo();
    await Promise.all([other, again]);
    expect(ids.size).toBe(7);
  });
});
