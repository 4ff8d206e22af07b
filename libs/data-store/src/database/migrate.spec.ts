import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { sql, type Kysely } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratePostgres } from './postgres/migrate-postgres.ts';
import { kyselyOver, openPostgres } from './postgres/open-postgres.ts';
import { migrate, statements, StoreTooNewError, type Migrations } from './sqlite/migrate.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

const things = 'create table things (id integer primary key)';
const first: Migrations = { '001-things': statements([things]) };
const second: Migrations = {
  ...first,
  '002-more': statements([things.replace('things', 'more')]),
};
const failing: Migrations = {
  ...second,
  '003-broken': {
    up: async (db: Kysely<unknown>) => {
      await sql`create table half (id integer primary key)`.execute(db);
      throw new Error('no third step');
    },
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-migrate-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Database {
  migrate(migrations: Migrations, schema?: string): Promise<void>;
  tables(): Promise<string[]>;
}
let files = 0;

const engines: Readonly<Record<string, () => Promise<Database>>> = {
  SQLite: async () => {
    files += 1;
    const file = join(folder, `${files}.db`);
    const opened = async <T>(body: (db: Kysely<unknown>) => Promise<T>): Promise<T> => {
      const db = openSqlite<unknown>(file);
      try {
        return await body(db);
      } finally {
        await db.destroy();
      }
    };
    return await Promise.resolve({
      migrate: (migrations) => opened((db) => migrate(db, migrations)),
      tables: () =>
        opened(async (db) => {
          const { rows } = await sql<{ name: string }>`select name from sqlite_schema
            where type = 'table' and name not like 'kysely%' order by 1`.execute(db);
          return rows.map(({ name }) => name);
        }),
    });
  },
  PostgreSQL: async () => {
    const url = await newDatabase();
    const opened = async <T>(
      body: (pool: ReturnType<typeof openPostgres>) => Promise<T>,
    ): Promise<T> => {
      const pool = openPostgres(url, {
        ...{ applicationName: 'caregate spec', connections: 2 },
        ...{ statementTimeoutMs: 600_000, connectTimeoutMs: 600_000 },
      });
      try {
        return await body(pool);
      } finally {
        await pool.end();
      }
    };
    return {
      migrate: (migrations, schema = 'one') =>
        opened((pool) => migratePostgres(pool, schema, migrations)),
      tables: () =>
        opened(async (pool) => {
          const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
            where schemaname in ('one', 'two', 'public') and tablename not like 'kysely%' order by 1`.execute(
            kyselyOver(pool),
          );
          return rows.map(({ name }) => name);
        }),
    };
  },
};

describe.each(Object.entries(engines))('migrations on %s', (_engine, make) => {
  it('runs what is missing, once', async () => {
    const database = await make();
    for (const migrations of [first, second, second]) {
      await database.migrate(migrations);
    }
    expect(await database.tables()).toEqual(['more', 'things']);
  });

  it('refuses a database that is newer than the program, and changes nothing', async () => {
    const database = await make();
    await database.migrate(second);
    await expect(database.migrate(first)).rejects.toThrow(StoreTooNewError);
    await expect(database.migrate(first)).rejects.toThrow(
      /newer version of Caregate \(unknown migrations: "002-more"\)/u,
    );
    expect(await database.tables()).toEqual(['more', 'things']);
  });

  it('leaves the database as it was when a step fails, and names the cause', async () => {
    const database = await make();
    await database.migrate(first);
    await expect(database.migrate(failing)).rejects.toThrow('no third step');
    expect(await database.tables()).toEqual(['things']);
  });
});

it('lets one of many that start on PostgreSQL at once do the work', async () => {
  const database = await engines['PostgreSQL']!();
  await Promise.all(Array.from({ length: 6 }, () => database.migrate(second)));
  expect(await database.tables()).toEqual(['more', 'things']);
});

it('migrates each schema of PostgreSQL for itself', async () => {
  const database = await engines['PostgreSQL']!();
  await database.migrate(first, 'one');
  await database.migrate(first, 'two');
  expect(await database.tables()).toEqual(['things', 'things']);
});

it('does not wait for a writer of a SQLite file when there is nothing to do', async () => {
  const file = join(folder, 'current.db');
  const writer = openSqlite<unknown>(file);
  await migrate(writer, second);
  await writer.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    const reader = openSqlite<unknown>(file);
    await migrate(reader, second);
    await reader.destroy();
    await sql`rollback`.execute(connection);
  });
  await writer.destroy();
});
