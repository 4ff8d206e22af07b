import { newDatabase } from '@caregate/postgres';
import { beforeAll, describe } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { HealthDataSource } from '../health-data-source.ts';
import type { ImportDatabase } from './import-database.ts';
import { createCounts, type Counts } from './import/import-types.ts';
import type { StoreRecord, UserRecord } from './import/record.ts';
import { parseUuid } from './schema.ts';
import {
  openPostgresForWriting,
  openPostgresStore,
  openSqliteForWriting,
  openSqliteStore,
  getStoreFile,
} from './open-store.ts';
import { ImportWriter } from './import/import-writer.ts';

/** A spec's own store on one of the engines. */
interface TestStore {
  readonly store: HealthDataSource;
  readonly writer: ImportWriter;
  /** Opens the store for writing, as another process would. The caller closes it. */
  readonly open: () => Promise<ImportDatabase>;
  /** Returns every row of every table, in a stable order. */
  readonly rows: () => Promise<Record<string, unknown[]>>;
}

/** Creates a store, passes it to `body`, and removes it. */
export type WithStore = (body: (test: TestStore) => Promise<void>) => Promise<void>;

/** Runs the same specs on SQLite and on a real PostgreSQL database. */
export function onEachEngine(specs: (withStore: WithStore, engine: Engine) => void): void {
  describe('on SQLite', () => {
    specs(withSqlite, 'sqlite');
  });
  describe('on PostgreSQL', () => {
    let url: string;
    beforeAll(async () => {
      url = await newDatabase();
    });
    specs(async (body) => {
      await withPostgres(url, body);
    }, 'postgres');
  });
}

export type Engine = 'sqlite' | 'postgres';

export const withSqlite: WithStore = async (body) => {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-store-'));
  const writer = new ImportWriter(await openSqliteForWriting(folder));
  const store = await openSqliteStore(folder);
  try {
    const rows = (): Promise<Record<string, unknown[]>> =>
      Promise.resolve(sqliteRows(getStoreFile(folder)));
    await body({ store, writer, rows, open: () => openSqliteForWriting(folder) });
  } finally {
    await store.close();
    await writer.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

async function withPostgres(url: string, body: (test: TestStore) => Promise<void>): Promise<void> {
  const writer = new ImportWriter(await openPostgresForWriting(url, 0));
  const store = await openPostgresStore(url);
  try {
    const rows = (): Promise<Record<string, unknown[]>> => postgresRows(url);
    await body({ store, writer, rows, open: () => openPostgresForWriting(url, 0) });
  } finally {
    await store.close();
    await writer.close();
    await emptyPostgres(url);
  }
}

/** Deletes all rows, which is much faster than creating a database for each test. */
export async function emptyPostgres(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const last = [...tables].reverse();
  await client.query(last.map((table) => `delete from store.${table}`).join(';'));
  await client.end();
}

const tables = [
  'users',
  'user_totals',
  'user_infos',
  'imported_orders',
  'lab_results',
  'lab_result_versions',
  'hl7_orders',
  'hl7_messages',
  'orders',
  'order_totals',
  'people',
  'insurances',
  'mindfulness_minutes',
  'mindfulness_sources',
];

/** Returns the columns with the same content on both engines, without the people index and times of change. */
function listColumns(table: string): string {
  const some: Readonly<Record<string, string>> = {
    people: 'team_id, user_id, facts',
    lab_result_versions: 'team_id, order_id, version, body',
    hl7_messages: 'team_id, user_id, waits_for, client_user_ids, bytes',
  };
  return some[table] ?? '*';
}

export function sqliteRows(file: string): Record<string, unknown[]> {
  const raw = new DatabaseSync(file, { readOnly: true });
  const rows = tables.map((table) => [
    table,
    sorted(raw.prepare(`select ${listColumns(table)} from ${table}`).all()),
  ]);
  raw.close();
  return Object.fromEntries(rows) as Record<string, unknown[]>;
}

export async function postgresRows(url: string): Promise<Record<string, unknown[]>> {
  const client = new pg.Client(url);
  await client.connect();
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) {
    rows[table] = sorted(
      (await client.query(`select ${listColumns(table)} from store.${table}`)).rows,
    );
  }
  await client.end();
  return rows;
}

function sorted(found: readonly unknown[]): unknown[] {
  const commit = { changed_in: 'some commit', changed_us: 'its time' };
  const rows = (found as object[]).map((row) => ({ ...row, ...commit }));
  const texts = new Map(rows.map((row) => [row, JSON.stringify(row)]));
  return rows.sort((a, b) => ((texts.get(a) ?? '') < (texts.get(b) ?? '') ? -1 : 1));
}

/** Stores records in one transaction. Throws if one is refused. */
export async function put(writer: ImportWriter, records: readonly StoreRecord[]): Promise<Counts> {
  const counts = createCounts();
  await writer.begin(1000);
  for (const issue of await writer.write(records, counts)) {
    if (issue !== undefined) {
      await writer.rollback();
      throw new Error(`${issue.path.join('.')} ${issue.message}`);
    }
  }
  await writer.commit();
  const sum = (name: keyof Counts): number =>
    Object.values(counts).reduce((total, each) => total + each[name], 0);
  return { added: sum('added'), updated: sum('updated'), unchanged: sum('unchanged') };
}

export const teamA = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a1111';
export const teamB = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a2222';

export function bytes(uuid: string): Uint8Array {
  const found = parseUuid(uuid);
  if (found === undefined) {
    throw new Error(`${uuid} is no uuid`);
  }
  return found;
}

/** Returns the UUID of the n-th person of a spec. */
export const userId = (n: number): string =>
  `a${(n * 2654435761).toString(16).padStart(15, '0').slice(-7)}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** Returns the record of the n-th person of a spec. Like a real one, its body contains when it was created. */
export function userRecord(team: string, n: number, more: Partial<UserRecord> = {}): UserRecord {
  const { created_us = n } = more;
  return {
    ...{ kind: 'user', team_id: bytes(team), user_id: bytes(userId(n)) },
    ...{ client_user_id: `client ${n}`, created_us },
    body: JSON.stringify({ id: userId(n), created_us }),
    ...more,
  };
}
