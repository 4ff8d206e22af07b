import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { HealthDataSource } from '../health-data-source.ts';
import type { UserRecord } from './import/record.ts';
import type { ImportWriter } from './import/import-writer.ts';
import { onEachEngine, put, teamA, teamB, userId, userRecord } from './store.testing.ts';

/** When each user was created, by ID. */
type Created = Map<string, number>;

const sortIds = (created: Created): string[] =>
  [...created].sort(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1)).map(([id]) => id);

onEachEngine((withStore) => {
  describe('listUsers', () => {
    it('pages like a plain sorted array, after any imports, repeats and changes of created_on', async () => {
      const imports = fc.array(
        fc.record({
          from: fc.nat(800),
          count: fc.integer({ min: 1, max: 400 }),
          // Few different times make many ties, which are sorted by ID.
          spread: fc.constantFrom(1, 3, 1000, 1_000_000_000),
          seed: fc.nat(100_000),
        }),
        { minLength: 1, maxLength: 4 },
      );
      const pages = fc.array(
        fc.record({ offset: fc.nat(1300), limit: fc.integer({ min: 1, max: 500 }) }),
        {
          minLength: 4,
          maxLength: 8,
        },
      );
      await fc.assert(
        fc.asyncProperty(imports, pages, async (rounds, asked) => {
          await withStore(async ({ store, writer }) => {
            const created: Created = new Map();
            for (const round of rounds) {
              await importRound(writer, created, round);
              await expectPages(store, created, asked);
            }
          });
        }),
        { numRuns: 3 },
      );
    });

    it('gives an empty page with the total past the end, and to a team without users', async () => {
      await withStore(async ({ store, writer }) => {
        await importRound(writer, new Map(), { from: 0, count: 3, spread: 1, seed: 1 });
        for (const [team, offset, total] of [
          ...[[teamA, 3, 3] as const, [teamA, 1e15, 3] as const],
          ...[[teamB, 0, 0] as const, ['..', 0, 0] as const],
        ]) {
          const page = await store.listUsers(team, { offset, limit: 10 });
          const body = { users: [], total, offset, limit: 10 };
          expect([team, { ...page, body: JSON.parse(page.body) as unknown }]).toEqual([
            team,
            { body, ids: [], total },
          ]);
        }
      });
    });
  });
});

interface Round {
  from: number;
  count: number;
  spread: number;
  seed: number;
}

async function importRound(writer: ImportWriter, created: Created, round: Round): Promise<void> {
  const records: UserRecord[] = [];
  for (let n = round.from; n < round.from + round.count; n += 1) {
    const created_us = ((n * 7919 + round.seed) * 104_729) % round.spread;
    records.push(userRecord(teamA, n, { created_us }));
    created.set(userId(n), created_us);
  }
  await put(writer, records);
}

async function expectPages(
  store: HealthDataSource,
  created: Created,
  pages: readonly { offset: number; limit: number }[],
): Promise<void> {
  const ids = sortIds(created);
  const byId: string[] = [];
  for (let page: readonly string[] = ['']; page.length > 0;) {
    page = await store.getRecords(teamA).listUserIds({ after: byId.at(-1), limit: 500 });
    byId.push(...page);
  }
  expect(byId).toEqual(ids.toSorted());
  for (const page of pages) {
    const found = await store.listUsers(teamA, page);
    const expected = ids.slice(page.offset, page.offset + page.limit);
    expect(found.ids).toEqual(expected);
    expect(found.total).toBe(ids.length);
    const { users, ...rest } = JSON.parse(found.body) as { users: { id: string }[] };
    expect(users.map(({ id }) => id)).toEqual(expected);
    expect(rest).toEqual({ ...page, total: ids.length });
  }
}
