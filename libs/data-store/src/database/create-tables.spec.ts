import { newDatabase } from '@caregate/postgres';
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresTables, createSqliteTables, hasPostgresTables } from './create-tables.ts';
import { createPostgresKysely, openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

const things = ['create table things (id integer primary key)'];
const broken = [...things, 'create table things (id integer primary key)'];
const find = sql<{ id: number }>`select id from things`;
const add = sql`insert into things (id) values (1)`;

it('creates the tables of a SQLite file once, all or none, and then waits for no writer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-tables-'));
  const [writer, reader] = [1, 2].map(() => openSqlite<unknown>(join(folder, 'a.db')));
  await expect(createSqliteTables(writer!, broken)).rejects.toThrow('already exists');
  await expect(find.execute(writer!)).rejects.toThrow('no such table');
  await createSqliteTables(writer!, things);
  await writer!.connection().execute(async (connection) => {
    await add.execute(connection);
    await sql`begin immediate`.execute(connection);
    await createSqliteTables(reader!, things);
    await sql`rollback`.execute(connection);
  });
  expect((await find.execute(reader!)).rows).toEqual([{ id: 1 }]);
  await Promise.all([writer!.destroy(), reader!.destroy()]);
  rmSync(folder, { recursive: true });
});

it('creates the tables of a schema of PostgreSQL once, all or none, whoever else starts at once', async () => {
  const pool = openPostgres(await newDatabase(), 'caregate spec', {
    connections: 6,
    statementTimeoutMs: 600_000,
  });
  const create = (schema: string, statements: string[]): Promise<void> =>
    createPostgresTables(pool, schema, statements);
  await expect(create('one', broken)).rejects.toThrow('already exists');
  expect(await hasPostgresTables(createPostgresKysely(pool), 'one')).toBe(false);
  await Promise.all(Array.from({ length: 6 }, () => create('one', things)));
  await create('two', things);
  const { rows } = await pool.query('select schemaname from pg_tables where tablename = $1', [
    'things',
  ]);
  expect(rows).toHaveLength(2);
  await pool.end();
});
