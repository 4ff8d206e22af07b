import type { ImportEnvelope } from '@caregate/domain';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { HealthDataSource } from '../../health-data-source.ts';
import { peopleQueryOf } from '../../people/people-query.ts';
import { importEnvelopes } from '../import/import.ts';
import type { RecordWriter } from '../import/record-writer.ts';
import { StoreWriter } from '../import/store-writer.ts';
import { openStore, storeFile } from '../open-store.ts';
import { openPostgresStore, openPostgresWriter } from '../postgres/open-postgres-store.ts';
import { databaseSettings, postgresRows, sqliteRows } from '../store.testing.ts';

/** What a store of the version before could hold: of a corrected result only how it is now. */
const kinds = ['user', 'lab_result', 'insurance'] as const;
const envelopes = [...sampleEnvelopes({ users: 30, kinds })].filter(
  (each, at, all) =>
    each.kind !== 'lab_result' ||
    !all.some((later, its) => its > at && orderOf(later) === each.order_id),
);

/** Tables that version did not have, the last first. */
const later = [
  ...['people', 'unfilled', 'lab_result_versions', 'orders', 'imported_orders', 'user_infos'],
];
const forget = `delete from kysely_migration where name >= '003-people-and-orders'`;

async function fillWith(writer: RecordWriter): Promise<void> {
  expect(await importEnvelopes(writer, 'spec', envelopes)).toMatchObject({ imported: true });
  await writer.close();
}

async function named(store: HealthDataSource, text: string): Promise<readonly string[]> {
  const query = peopleQueryOf(text);
  if ('reason' in query) {
    throw new Error(query.reason);
  }
  const { hits } = await store.searchPeople(sampleTeamId, { query, limit: 8, labs: true });
  return hits.map(({ person }) => `${person.name ?? ''} of ${person.name_source ?? ''}`);
}

async function expectFound(store: HealthDataSource): Promise<void> {
  expect(await named(store, 'okon ama')).toContain('Amara Okonkwo-Lindqvist of insurance');
  const { total } = await store.listOrders(sampleTeamId, {
    ...{ key: 'created_at', direction: 'desc', page: 1, size: 1 },
  });
  expect(total).toBe(envelopes.filter(({ kind }) => kind === 'lab_result').length);
}

/** How far it was, more and more up to all orders and people. */
function expectTold(told: readonly number[][]): void {
  const all = envelopes.filter(({ kind }) => kind !== 'insurance').length;
  expect(new Set(told.map(([, of]) => of))).toEqual(new Set([all]));
  const done = told.map(([first = 0]) => first);
  expect(done).toEqual(done.toSorted((one, other) => one - other));
  expect(done.at(-1)).toBe(all);
}

function orderOf(envelope: ImportEnvelope): string | undefined {
  return envelope.kind === 'lab_result' ? envelope.order_id : undefined;
}

describe('a store of the version before', () => {
  it('has its people and orders in the index after it is opened, as if imported anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-fill-'));
    try {
      await fillWith(await StoreWriter.open(folder));
      const anew = sqliteRows(storeFile(folder));
      const raw = new DatabaseSync(storeFile(folder));
      raw.exec(`drop table people_index; ${later.map((name) => `drop table ${name};`).join('')}`);
      raw.exec(forget);
      raw.close();
      const told: number[][] = [];
      // The second finds them filled.
      for (let start = 0; start < 2; start += 1) {
        const store = await openStore(folder, (...state) => told.push(state));
        await expectFound(store);
        await store.close();
      }
      expectTold(told);
      expect(sqliteRows(storeFile(folder))).toEqual(anew);
      const filled = new DatabaseSync(storeFile(folder), { readOnly: true });
      expect(filled.prepare('select * from unfilled').all()).toEqual([]);
      const [indexed] = filled.prepare('select count(*) as n from people_index').all();
      expect(indexed).toEqual({ n: anew['people']?.length });
      filled.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('that was filled half when the process died is filled whole by the next', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-fill-'));
    try {
      await fillWith(await StoreWriter.open(folder));
      const anew = sqliteRows(storeFile(folder));
      const raw = new DatabaseSync(storeFile(folder));
      // All or nothing is one transaction: what a killed process leaves is the mark, and tables as they were.
      raw.exec(`delete from people_index; delete from people; delete from orders;
        insert into unfilled values ('people')`);
      raw.close();
      const store = await openStore(folder);
      await expectFound(store);
      await store.close();
      expect(sqliteRows(storeFile(folder))).toEqual(anew);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('that was filled before every spelling had its words is filled anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-fill-'));
    try {
      await fillWith(await StoreWriter.open(folder));
      const anew = sqliteRows(storeFile(folder));
      const raw = new DatabaseSync(storeFile(folder));
      // The people are as they were, and their tokens those of another version.
      raw.exec(`delete from people_index;
        delete from kysely_migration where name >= '006-people-by-every-spelling'`);
      raw.close();
      const store = await openStore(folder);
      await expectFound(store);
      await store.close();
      expect(sqliteRows(storeFile(folder))).toEqual(anew);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  describe('in PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres({ fsync: 'off' });
    });
    afterAll(() => server.stop());

    it('has its people and orders in the index after it is opened, by however many at once', async () => {
      const url = await server.database();
      await fillWith(await openPostgresWriter(url, 0));
      const anew = await postgresRows(url);
      const client = new pg.Client(url);
      await client.connect();
      await client.query(later.map((name) => `drop table store.${name};`).join(''));
      await client.query(`set search_path = store; ${forget}`);
      const told: number[][] = [];
      const open = (): ReturnType<typeof openPostgresStore> =>
        openPostgresStore(databaseSettings(url), undefined, (...state) => told.push(state));
      const stores = await Promise.all([open(), open(), open()]);
      for (const store of stores) {
        await expectFound(store);
        await store.close();
      }
      expectTold(told);
      expect(await postgresRows(url)).toEqual(anew);
      const { rows } = await client.query('select * from store.unfilled');
      expect(rows).toEqual([]);
      await client.end();
    });

    it('that was filled before every spelling had its words is filled anew', async () => {
      const url = await server.database();
      await fillWith(await openPostgresWriter(url, 0));
      const anew = await postgresRows(url);
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`update store.people set tokens = '{}';
        delete from store.kysely_migration where name >= '007-people-by-every-spelling'`);
      const store = await openPostgresStore(databaseSettings(url));
      await expectFound(store);
      await store.close();
      await client.end();
      expect(await postgresRows(url)).toEqual(anew);
    });
  });
});
