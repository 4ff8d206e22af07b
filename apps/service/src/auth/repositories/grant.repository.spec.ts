import type { BreakGlassReason } from '@caregate/domain';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  hourMs,
  minuteMs,
  teamA,
  teamB,
  accessEngines,
  type AccessFixture,
} from '../access.testing.ts';
import type { AccessAlarms } from '../access-alarms.ts';
import { MOST_GRANTS, type BreakGlassError } from './grant.repository.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
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

describe.each(accessEngines)('on $name', ({ withAccess }) => {
  describe('a grant', () => {
    it('alarms each time, from the third unreviewed one on twice, and is never refused for it', async () => {
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
  });

  describe('the list', () => {
    it('shows the oldest first that waits for its review, page by page, however many came after it', async () => {
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
            ids.push(...page!.grants.map(({ grantId }) => grantId));
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
        expect((await breakGlass.list({ all: false })).map(({ grantId }) => grantId)).toEqual(open);
        await breakGlass.review(open[99]!, reviewer);
        const next = await breakGlass.page({ teamId: teamA, all: false, after: open[99] });
        expect(next?.grants[0]?.grantId).toBe(open[100]);
        expect(
          await breakGlass.page({ teamId: teamB, all: false, after: open[99] }),
        ).toBeUndefined();
      });
    });

    it('has at most 50 of one person in 30 minutes, also of those that were ended', async () => {
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
        expect(grant).toMatchObject({ overdue: true, reviewed: undefined });
        expect(grant?.reviewDue.getTime()).toBe(clock.nowMs - 1);
        const reviewed = await store.breakGlass.review(grant!.grantId, reviewer);
        expect(reviewed).toMatchObject({ overdue: false, outcome: 'justified' });
      });
    });

    it('is by someone else, of the same team, of a grant there is', async () => {
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
        expect(grant?.reviewedBy).toBe('Ada');
      });
    });
  });
});
