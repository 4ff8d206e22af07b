import type { BreakGlassReason } from '@caregate/domain';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  dayMs,
  hourMs,
  minuteMs,
  teamA,
  teamB,
  accessEngines,
  type AccessFixture,
} from '../access.testing.ts';
import type { AccessAlarms } from '../access-alarms.ts';
import type { AccessStore } from '../access-store.ts';
import type { StaffPrincipal } from '../principal.ts';
import { TestDesk } from '../sessions/desk.testing.ts';
import { newTokenHash } from '../sessions/signed-in.testing.ts';
import { toPrincipal } from './session.repository.ts';
import { grantJson, MOST_GRANTS, type BreakGlassError } from './grant.repository.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const another = 'a0000000-0000-4000-8000-00000000000b';
const requested = (userId = patient) => ({
  reasonCode: 'emergency_treatment' as BreakGlassReason,
  text: 'Unconscious at the front desk, lab values needed',
  userId,
});
const auditor = { keyId: 'auditor', role: 'auditor' } as const;
const reviewer = { by: auditor, outcome: 'justified' } as const;

async function asker({ store }: AccessFixture, teamId = teamA, label = 'Desk 1') {
  const role = 'front_desk' as const;
  const { keyId } = await store.keys.create({ teamId, role, label });
  return { keyId, teamId, role };
}

async function reasonOf(refused: Promise<unknown>): Promise<string> {
  return await refused.then(
    () => 'none',
    (error: unknown) => (error as BreakGlassError).reason,
  );
}

async function signedInTwice({ desks, staff, sessions }: AccessStore): Promise<StaffPrincipal[]> {
  const issuer = 'https://id.example';
  const subject = 'ines';
  await staff.add({ teamId: teamA, name: 'Ines', role: 'billing', issuer, subject });
  const principals = [];
  for (const name of ['Front desk', 'Ward']) {
    const { code } = await desks.makeCode({ teamId: teamA, name });
    const desk = (await desks.enrol({ code, name: undefined, key: new TestDesk() }))!;
    const identity = { issuer, subject, email: undefined, token: newTokenHash() };
    const { session } = await sessions.begin(desk, identity);
    principals.push(toPrincipal(session));
  }
  return principals;
}

describe.each(accessEngines)('on $name', ({ withAccess }) => {
  describe('a grant', () => {
    it('raises an alarm each time, and another one from the third unreviewed grant on', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        const desk = await asker(fixture);
        const elsewhere = await asker(fixture, teamB);
        const granted: AccessAlarms['break-glass'][] = [];
        const piled: AccessAlarms['break-glass-unreviewed'][] = [];
        store.database.events.on('break-glass', (alarm) => granted.push(alarm));
        store.database.events.on('break-glass-unreviewed', (alarm) => piled.push(alarm));
        await store.breakGlass.ask(elsewhere, requested());
        const ids: string[] = [];
        for (let count = 1; count <= 4; count++) {
          clock.nowMs += hourMs;
          ids.push((await store.breakGlass.ask(desk, requested())).grantId);
        }
        const { keyId, teamId } = desk;
        expect(granted.slice(1)).toEqual(ids.map((grantId) => ({ keyId, teamId, grantId })));
        expect(piled).toEqual([
          { teamId: teamA, unreviewed: 3 },
          { teamId: teamA, unreviewed: 4 },
        ]);
        for (const grantId of ids.slice(1)) {
          await store.breakGlass.review(grantId, reviewer);
        }
        clock.nowMs += hourMs;
        await store.breakGlass.ask(desk, requested());
        expect(piled).toHaveLength(2);
      });
    });

    it('raises an alarm for more than five grants of one person in 24 hours, and refuses none', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        let by = await asker(fixture);
        const stranger = await asker(fixture, teamA, 'Desk 2');
        const many: number[] = [];
        store.database.events.on('break-glass-many', ({ grants }) => many.push(grants));
        const ask = async (): Promise<void> => {
          clock.nowMs += 40 * minuteMs;
          await store.breakGlass.ask(by, requested());
        };
        for (let count = 1; count <= 5; count += 1) {
          await ask();
        }
        await store.breakGlass.ask(stranger, requested());
        expect(many).toEqual([]);
        by = { ...by, keyId: (await store.keys.rotate(by.keyId)).keyId };
        await ask();
        await ask();
        expect(many).toEqual([6, 7]);
        clock.nowMs += dayMs;
        await ask();
        expect(many).toEqual([6, 7]);
      });
    });
  });

  describe('the list', () => {
    it('returns unreviewed grants oldest first, page by page', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        const { breakGlass } = store;
        const real = await breakGlass.ask(await asker(fixture), requested());
        clock.nowMs += 1;
        const made: string[] = [];
        for (let holder = 0; holder < 5; holder += 1) {
          const own = await asker(fixture, teamA, `Desk ${holder + 2}`);
          for (let count = 0; count < MOST_GRANTS; count += 1) {
            // Several in one millisecond.
            clock.nowMs += count % 2;
            made.push((await breakGlass.ask(own, requested(randomUUID()))).grantId);
          }
        }
        const read = async (all: boolean): Promise<string[]> => {
          const ids: string[] = [];
          for (let after: string | undefined; ;) {
            const page = await breakGlass.page({ teamId: teamA, all, after });
            ids.push(...page!.grants.map(({ grant_id }) => grant_id));
            after = page!.next;
            if (after === undefined) {
              return ids;
            }
          }
        };
        const open = await read(false);
        expect(open[0]).toBe(real.grantId);
        expect(new Set(open)).toEqual(new Set([real.grantId, ...made]));
        expect(open).toHaveLength(251);
        expect(await read(true)).toEqual(open.toReversed());
        expect((await breakGlass.list({ all: false })).map(({ grant_id }) => grant_id)).toEqual(
          open,
        );
        await breakGlass.review(open[99]!, reviewer);
        const next = await breakGlass.page({ teamId: teamA, all: false, after: open[99] });
        expect(next?.grants[0]?.grant_id).toBe(open[100]);
        expect(
          await breakGlass.page({ teamId: teamB, all: false, after: open[99] }),
        ).toBeUndefined();
      });
    });

    it('accepts at most 50 grants of one person in 30 minutes, ended ones included', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        const desk = await asker(fixture);
        for (let count = 0; count < MOST_GRANTS; count += 1) {
          const { grantId } = await store.breakGlass.ask(desk, requested(randomUUID()));
          await store.breakGlass.end(desk, grantId);
        }
        expect(await reasonOf(store.breakGlass.ask(desk, requested()))).toBe('too-many');
        await store.breakGlass.ask(await asker(fixture, teamA, 'Desk 2'), requested());
        clock.nowMs += 30 * minuteMs;
        await store.breakGlass.ask(desk, requested());
      });
    });
  });

  describe('the review', () => {
    it('is due within 72 hours', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        await store.breakGlass.ask(await asker(fixture), requested());
        clock.nowMs += 72 * hourMs;
        expect(await store.breakGlass.list({ all: false })).toMatchObject([{ overdue: false }]);
        clock.nowMs += 1;
        const [grant] = await store.breakGlass.list({ all: false });
        expect(grant).toMatchObject({ overdue: true, reviewed_ms: null });
        expect(Date.parse(grantJson(grant!).review_due_at)).toBe(clock.nowMs - 1);
        const reviewed = await store.breakGlass.review(grant!.grant_id, reviewer);
        expect(reviewed).toMatchObject({ overdue: false, outcome: 'justified' });
      });
    });

    it('is refused to the person who asked, to another team, and for an unknown grant', async () => {
      await withAccess(async (fixture) => {
        const { store } = fixture;
        const desk = await asker(fixture);
        const { grantId } = await store.breakGlass.ask(desk, requested());
        const review = async (more: object, id = grantId): Promise<string> =>
          await reasonOf(store.breakGlass.review(id, { ...reviewer, ...more }));
        expect(await review({ by: desk })).toBe('own');
        expect(await review({ by: { name: ' desk 1 ' } })).toBe('own');
        expect(await review({ teamId: teamB })).toBe('unknown');
        expect(await review({}, patient)).toBe('unknown');
        expect(await store.breakGlass.list({ teamId: teamB, all: true })).toEqual([]);
        expect(await review({ by: { name: ' Ada ' }, teamId: teamA })).toBe('none');
        const [grant] = await store.breakGlass.list({ teamId: teamA.toUpperCase(), all: true });
        expect(grant?.reviewed_by).toBe('Ada');
      });
    });
  });

  describe('emergency access', () => {
    it('returns the grant in force to a person who asks again, without a second record or alarm', async () => {
      await withAccess(async (fixture) => {
        const { store, clock, acts } = fixture;
        const [person] = await signedInTwice(store);
        const other = await fixture.openAnother();
        const alarms: unknown[] = [];
        for (const { database } of [store, other]) {
          database.events.on('break-glass', (alarm) => alarms.push(alarm));
        }
        const { grantId, expires } = await store.breakGlass.ask(person!, requested());
        const recorded = acts.length;
        clock.nowMs += 30 * minuteMs - 1;
        const reworded = { ...requested(patient.toUpperCase()), text: 'The same in other words' };
        for (const again of [requested(), reworded]) {
          expect(await other.breakGlass.ask(person!, again)).toEqual({
            ...{ grantId, expires, isRepeated: true },
          });
        }
        expect([acts.length, alarms.length]).toEqual([recorded, 1]);
        expect(await store.breakGlass.list({ all: true })).toMatchObject([
          { grant_id: grantId, expires_ms: expires.getTime(), text: requested().text },
        ]);
      });
    });

    it('is a new grant for another patient, in another session, and after the first has ended', async () => {
      await withAccess(async ({ store, clock }) => {
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
        const by = { keyId: 'auditor', role: 'auditor' } as const;
        await store.breakGlass.review(await ask(person!), { by, outcome: 'not_justified' });
        await ask(person!);
        expect(ids.size).toBe(6);
      });
    });

    it('is a new grant if the first expires while the request waits for the lock', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        const [person] = await signedInTwice(store);
        await store.breakGlass.ask(person!, requested());
        let letGo: (() => void) | undefined;
        const holds = new Promise<void>((begun) => {
          fixture.instead = () =>
            new Promise((resolve) => {
              letGo = resolve;
              begun();
            });
        });
        const other = store.keys.create({ teamId: teamA, role: 'billing', label: 'Desk 1' });
        await holds;
        fixture.instead = undefined;
        const again = store.breakGlass.ask(person!, requested());
        clock.nowMs += 30 * minuteMs;
        letGo?.();
        await other;
        const { isRepeated, expires } = await again;
        expect(isRepeated).toBe(false);
        expect(expires.getTime()).toBe(clock.nowMs + 30 * minuteMs);
      });
    });

    it('is one grant for two concurrent requests', async () => {
      await withAccess(async ({ store }) => {
        const [person] = await signedInTwice(store);
        const both = await Promise.all([
          store.breakGlass.ask(person!, requested()),
          store.breakGlass.ask(person!, requested()),
        ]);
        expect(new Set(both.map(({ grantId }) => grantId)).size).toBe(1);
        expect(both.map(({ isRepeated }) => isRepeated).sort()).toEqual([false, true]);
      });
    });
  });

  describe('a review', () => {
    it('returns the same answer to the same review, without a second record', async () => {
      await withAccess(async ({ store, acts }) => {
        const [person] = await signedInTwice(store);
        const by = { keyId: 'auditor', role: 'auditor' } as const;
        const onCommandLine = { by: { name: 'Grace' }, note: 'talked to the ward' };
        for (const review of [{ by }, { by, note: 'talked to the ward' }, onCommandLine]) {
          const { grantId } = await store.breakGlass.ask(person!, requested());
          const done = { ...review, outcome: 'not_justified' } as const;
          const reviewed = await store.breakGlass.review(grantId, done);
          const recorded = acts.length;
          expect(await store.breakGlass.review(grantId.toUpperCase(), done)).toEqual(reviewed);
          for (const other of [
            { ...done, outcome: 'justified' as const },
            { ...done, note: 'in other words' },
            { ...done, by: { ...by, keyId: 'another' } },
            { ...done, by: { name: 'Alan' } },
          ]) {
            await expect(store.breakGlass.review(grantId, other)).rejects.toMatchObject({
              reason: 'reviewed',
            });
          }
          expect(acts.length).toBe(recorded);
        }
      });
    });
  });
});
