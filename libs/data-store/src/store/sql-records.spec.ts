import type { ImportEnvelope } from '@caregate/domain';
import { otherTeamId, personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HealthDataSource } from '../health-data-source.ts';
import { importEnvelopes } from './import/import.ts';
import { onEachEngine } from './store.testing.ts';
import { openSqliteForWriting, openSqliteStore, getStoreFile } from './open-store.ts';
import { ImportWriter } from './import/import-writer.ts';

const { amara } = personas;
const envelopes: readonly ImportEnvelope[] = [
  ...sampleEnvelopes({ users: 12 }),
  ...sampleEnvelopes({ users: 2, teamId: otherTeamId }),
];
const everything = { fromUs: 0, untilUs: Number.MAX_SAFE_INTEGER, limit: 100 };

/** Returns the times at which records of a person changed. */
async function findChanges(store: HealthDataSource): Promise<Record<string, number[]>> {
  const { userId } = amara;
  const points = { userId, fromUs: 0, limit: 1000 };
  const [people, insurances, orders, minutes] = await Promise.all([
    store.getRecords(sampleTeamId).listPeople([userId]),
    store.getRecords(sampleTeamId).listInsurances(userId),
    store.getRecords(sampleTeamId).listOrders({ of: { userId }, withResult: true, limit: 100 }),
    store.getRecords(sampleTeamId).listPoints(points),
  ]);
  const all = (changed: readonly { readonly changedUs: number }[]): number[] =>
    [...new Set(changed.map(({ changedUs }) => changedUs))].sort((a, b) => a - b);
  return {
    person: all(people),
    insurances: all(insurances),
    orders: all(orders),
    results: all(orders.flatMap(({ result }) => result ?? [])),
    points: all(minutes),
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('finds all changes among thousands of commits, with pauses for others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-commits-'));
  const writer = new ImportWriter(await openSqliteForWriting(folder));
  await importEnvelopes(writer, 'many', envelopes);
  await writer.close();
  const raw = new DatabaseSync(getStoreFile(folder));
  raw.exec(`
    WITH RECURSIVE more(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < 5000)
    INSERT INTO commits SELECT -n, 1000 + n FROM more;
    UPDATE users SET changed_in = -2001 - rowid % 3`);
  raw.close();
  const store = await openSqliteStore(folder);
  let pauses = 0;
  const pause = (): Promise<void> => Promise.resolve(void (pauses += 1));
  const all = await store.getRecords(sampleTeamId).listChangedPeople(everything, pause);
  const sorted = all.toSorted(
    (a, b) => a.changedUs - b.changedUs || (a.userId < b.userId ? -1 : 1),
  );
  expect([all, pauses]).toEqual([sorted, 2]);
  expect(new Set(all.map(({ userId }) => userId)).size).toBe(12);
  const paged = [];
  for (let after: (typeof all)[number] | undefined; ;) {
    const page = await store.getRecords(sampleTeamId).listChangedPeople({
      ...everything,
      after,
      limit: 2,
    });
    paged.push(...page);
    after = page.at(-1);
    if (after === undefined) break;
  }
  expect(paged).toEqual(all);
  await store.close();
  rmSync(folder, { recursive: true });
});

onEachEngine((withStore) => {
  describe('what changed', () => {
    it('has the time of the commit that last changed it, which another import of the same leaves', async () => {
      await withStore(async ({ store, writer }) => {
        await importEnvelopes(writer, 'first', envelopes);
        const first = await findChanges(store);
        const [at = 0] = first['person'] ?? [];
        const each = { person: [at], insurances: [at], orders: [at], results: [at], points: [at] };
        expect(first).toEqual(each);
        expect(new Date(at / 1000).getFullYear()).toBeGreaterThan(2025);
        await importEnvelopes(writer, 'again', envelopes);
        expect(await findChanges(store)).toEqual(first);
        const { lastUs = 0 } = await store.getImports();

        // The machine's clock goes backwards, but times of the store never do.
        jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
        const changed = envelopes.flatMap((each) =>
          each.kind === 'insurance' && each.user_id === amara.userId
            ? [{ ...each, insurance: { ...each.insurance, member_id: 'changed' } }]
            : [],
        );
        const info = envelopes.find(
          (one) => one.kind === 'user_info' && one.user_id === amara.userId,
        );
        await importEnvelopes(writer, 'insurances', changed);
        expect(await findChanges(store)).toEqual({ ...first, insurances: [lastUs + 1] });
        if (info?.kind === 'user_info') {
          const moved = { ...info, info: { ...info.info, first_name: 'Moved' } };
          await importEnvelopes(writer, 'info', [moved]);
        }
        expect(await findChanges(store)).toMatchObject({ person: [lastUs + 2], orders: [at] });

        const list = await store.getRecords(sampleTeamId).listChangedPeople(everything);
        expect(list).toHaveLength(13);
        expect(list.at(-1)).toEqual({ changedUs: lastUs + 2, userId: amara.userId });
        const paged = [];
        for (let after = list[0]; after !== undefined;) {
          paged.push(after);
          const query = { ...everything, after, limit: 1 };
          [after] = await store.getRecords(sampleTeamId).listChangedPeople(query);
        }
        expect(paged).toEqual(list);
        const since = { ...everything, fromUs: at + 1 };
        expect(await store.getRecords(sampleTeamId).listChangedPeople(since)).toEqual(
          list.slice(-1),
        );
        expect(await store.getRecords(otherTeamId).listChangedPeople(since)).toEqual([]);
      });
    });
  });
});
