import { forgetfulProxy, newDatabase } from '@caregate/postgres';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleEnvelopes } from '@caregate/sample-data';
import { importEnvelopes } from '../import/import.ts';
import { createCounts, type Counts, type Kind } from '../import/import-types.ts';
import type { StoreRecord, UserRecord } from '../import/record.ts';
import {
  bytes,
  emptyPostgres,
  postgresRows,
  put,
  sqliteRows,
  teamA,
  teamB,
  userId,
  userRecord,
} from '../store.testing.ts';
import {
  openPostgresForWriting,
  openPostgresStore,
  openSqliteForWriting,
  getStoreFile,
} from '../open-store.ts';
import { ImportWriter } from '../import/import-writer.ts';

const url = await newDatabase();
afterEach(() => emptyPostgres(url));
const openWriter = async (of = url) => new ImportWriter(await openPostgresForWriting(of, 0));

/** Few different values, so that records often have the same keys. */
const few = fc.nat(3);
const team = fc.constantFrom(teamA, teamA, teamA, teamB).map(bytes);
const user = few.map((n) => bytes(userId(n)));
const body = fc.constantFrom('"x"', '"y\\n"', '"\\\\z\t"');
/** Bodies with escaped characters that PostgreSQL can't store in text. */
const orderBody = fc.constantFrom(
  '{"interpretation":"a\\u0000\\ud800","last_event":{"status":"x.\\u0000"}}',
  '{"created_at":"2024-05-01T08:30:00+02:00","patient_details":{"first_name":"B\\u0000"}}',
);
const record: fc.Arbitrary<StoreRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('user' as const),
    team_id: team,
    user_id: user,
    client_user_id: fc.constantFrom('a', 'b', 'c\\t', 'd\n'),
    created_us: few,
    body,
  }),
  fc.record({
    kind: fc.constant('lab_result' as const),
    team_id: team,
    user_id: user,
    order_id: few.map((n) => bytes(userId(100 + n))),
    body,
  }),
  fc.record({
    kind: fc.constant('order' as const),
    team_id: team,
    user_id: user,
    order_id: few.map((n) => bytes(userId(100 + n))),
    body: orderBody,
  }),
  fc.record({
    kind: fc.constant('user_info' as const),
    team_id: team,
    user_id: user,
    recorded_us: few,
    body: fc.constantFrom('{"first_name":"A"}', '{"first_name":"\\u0000","last_name":"\\ud800"}'),
  }),
  fc.record({
    kind: fc.constant('insurance' as const),
    team_id: team,
    user_id: user,
    is_primary: fc.constantFrom(0 as const, 1 as const),
    recorded_us: few,
    body,
  }),
  fc.record({
    kind: fc.constant('mindfulness_minutes' as const),
    team_id: team,
    user_id: user,
    provider: fc.constantFrom('oura', 'o\tx'),
    type: fc.constant('ring'),
    source: body,
    points: fc.array(fc.record({ start_us: few, end_us: few, body }), { maxLength: 4 }),
  }),
);

/** Imports records in batches of this size. Returns the counts and the refusals. */
async function importAll(
  writer: ImportWriter,
  records: readonly StoreRecord[],
  atOnce: number,
): Promise<{ counts: Record<Kind, Counts>; refused: unknown[] }> {
  const counts = createCounts();
  await writer.begin(0);
  const refused: unknown[] = [];
  for (let from = 0; from < records.length; from += atOnce) {
    refused.push(...(await writer.write(records.slice(from, from + atOnce), counts)));
  }
  await writer.commit();
  return { counts, refused };
}

describe('an import', () => {
  it('does with many lines at once what the one into SQLite does line by line: rows, counts, refusals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { maxLength: 30 }), { minLength: 1, maxLength: 3 }),
        async (files) => {
          const folder = mkdtempSync(join(tmpdir(), 'caregate-store-'));
          const sqlite = new ImportWriter(await openSqliteForWriting(folder));
          const postgres = await openWriter();
          try {
            for (const file of files) {
              const expected = await importAll(sqlite, file, 1);
              expect(await importAll(postgres, file, 7)).toEqual(expected);
              expect(plain(await postgresRows(url))).toEqual(
                plain(sqliteRows(getStoreFile(folder))),
              );
            }
          } finally {
            await sqlite.close();
            rmSync(folder, { recursive: true, force: true });
            await postgres.close();
            await emptyPostgres(url);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('at the same time as others, of the same and other people, leaves total and places exact', async () => {
    const each = 512;
    await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const writer = await openWriter();
        // Every person is in two of the files, in different order.
        const records = Array.from({ length: each }, (_, i) =>
          person(n * (each / 2) + (n % 2 === 0 ? i : each - 1 - i)),
        );
        await writer.begin(60_000);
        expect(await writer.write(records, createCounts())).toEqual(records.map(() => undefined));
        await writer.commit();
        await writer.close();
      }),
    );
    const people = each * 2.5;
    const store = await openPostgresStore(url);
    const ids: string[] = [];
    for (let offset = 0; offset < people; offset += 100) {
      const page = await store.listUsers(teamA, { offset, limit: 100 });
      expect(page.total).toBe(people);
      ids.push(...page.ids);
    }
    const expected = Array.from({ length: people }, (_, n) => n)
      .sort((a, b) => placeOf(a) - placeOf(b) || (userId(a) < userId(b) ? -1 : 1))
      .map(userId);
    expect(ids).toEqual(expected);
    expect(await store.listUsers(teamA, { offset: people, limit: 1 })).toMatchObject({
      ids: [],
    });
    await store.close();
  });

  it('waits for another one of the same team, says so, and gives up when it was long enough', async () => {
    const [one, other] = [await openWriter(), await openWriter()];
    const began = await settled(one, 0);
    let waits = 0;
    await expect(settled(other, 0, () => (waits += 1))).rejects.toThrow(
      'Another process is still writing to this store. Try again later.',
    );
    expect(waits).toBe(1);
    await other.rollback();
    await began();
    await put(other, [person(2)]);
    expect((await postgresRows(url))['users']).toHaveLength(2);
    await Promise.all([one.close(), other.close()]);
  });

  it('ends one of two that wait for each other’s team, and the other goes on', async () => {
    const [one, other] = [await openWriter(), await openWriter()];
    const inB: UserRecord = { ...person(1), team_id: bytes(teamB) };
    const began = [await settled(one, 60_000), await settled(other, 60_000, undefined, inB)];
    const ends = await Promise.allSettled([
      one.write([inB], createCounts()).catch(rolledBack(one)),
      other.write([person(3)], createCounts()).catch(rolledBack(other)),
    ]);
    const refused = ends.findIndex(({ status }) => status === 'rejected');
    expect(ends[refused]).toMatchObject({
      reason: { message: expect.stringContaining('Another') },
    });
    await began[1 - refused]?.();
    expect((await postgresRows(url))['users']).toHaveLength(2);
    await Promise.all([one.close(), other.close()]);
  });

  it('beside one of another team has changed what it wrote when it was committed, however early it began', async () => {
    const [first, second] = [await openWriter(), await openWriter()];
    const store = await openPostgresStore(url);
    const commitFirst = await settled(first, 0);
    const commitSecond = await settled(second, 0, undefined, {
      ...person(4),
      team_id: bytes(teamB),
    });
    await commitSecond();
    await commitFirst();
    const changedUs = async (team: string, n: number): Promise<number> =>
      (await store.getRecords(team).listPeople([userId(n)]))[0]?.changedUs ?? NaN;
    expect(await changedUs(teamA, 3)).toBeGreaterThan(await changedUs(teamB, 4));
    await Promise.all([first, second, store].map((each) => each.close()));
  });

  it('does not say that nothing was imported where the answer to its commit is lost', async () => {
    const network = await forgetfulProxy(url);
    const writer = await openWriter(network.url);
    const forgot = network.forgetAnswerTo('commit\0');
    const people = sampleEnvelopes({ users: 1, teamId: teamA });
    await expect(importEnvelopes(writer, 'people', people)).rejects.toThrow(
      /did not confirm the commit.+ Import it again/u,
    );
    await forgot;
    expect((await postgresRows(url))['users']).toHaveLength(1);
    await writer.close();
    await network.close();
  });
});

/** Writes a person in a transaction. Returns the function that commits it. */
async function settled(
  writer: ImportWriter,
  waitMs: number,
  onWaiting?: () => void,
  record: StoreRecord = person(3),
): Promise<() => void | Promise<void>> {
  await writer.begin(waitMs, onWaiting);
  expect(await writer.write([record], createCounts())).toEqual([undefined]);
  return () => writer.commit();
}

/** Rolls back after a failure, so that the locks are released. */
const rolledBack =
  (writer: ImportWriter) =>
  async (error: unknown): Promise<never> => {
    await writer.rollback();
    throw error;
  };

const placeOf = (n: number): number => (n * 7919) % 101;

function person(n: number): UserRecord {
  return userRecord(teamA, n, { created_us: placeOf(n) });
}

/** Formats the rows of both engines alike. */
function plain(tables: Record<string, unknown[]>): unknown {
  return Object.entries(tables).map(([table, rows]) => [
    table,
    rows
      .map((row) =>
        Object.entries(row as Record<string, unknown>)
          .map(([name, value]) => {
            const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
            return `${name}=${String(text)}`;
          })
          .join(' '),
      )
      .sort(),
  ]);
}
