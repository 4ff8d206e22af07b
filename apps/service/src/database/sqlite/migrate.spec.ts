import { describe, expect, it } from '@jest/globals';
import { sql, type Kysely } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, StoreTooNewError, type Migrations } from './migrate.ts';
import { openSqlite } from './open-sqlite.ts';

interface Schema {
  things: { id: number; name: string | null; kept: Uint8Array | null };
}

const first: Migrations = {
  '001-things': {
    up: async (db) => {
      await sql`create table things (id integer primary key, name text, kept blob) strict`.execute(
        db,
      );
    },
  },
};
const second: Migrations = {
  ...first,
  '002-more': {
    up: async (db: Kysely<unknown>) => {
      await sql`create table more (id integer primary key) strict`.execute(db);
    },
  },
};
const failing: Migrations = {
  ...second,
  '003-broken': {
    up: async (db: Kysely<unknown>) => {
      await sql`create table half (id integer primary key) strict`.execute(db);
      throw new Error('no third step');
    },
  },
};

describe('a SQLite file', () => {
  it('is durable, in WAL mode, with foreign keys and no trust in its schema', async () => {
    await withFile(async (file) => {
      const db = openSqlite<Schema>(file);
      const pragma = async (name: string): Promise<unknown> => {
        const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
        return Object.values(rows[0] ?? {})[0];
      };
      expect(await pragma('journal_mode')).toBe('wal');
      expect(await pragma('synchronous')).toBe(2);
      expect(await pragma('foreign_keys')).toBe(1);
      expect(await pragma('trusted_schema')).toBe(0);
      expect(await pragma('busy_timeout')).toBe(5000);
      await db.destroy();
    });
  });

  it('takes booleans, bytes, null and undefined, and gives rows changed', async () => {
    const db = openSqlite<Schema>(':memory:');
    await migrate(db, first);
    await db
      .insertInto('things')
      .values({ id: 1, name: null, kept: Buffer.from('a') })
      .execute();
    await sql`insert into things (id, name) values (2, ${undefined})`.execute(db);
    await sql`insert into things (id) values (${true} + 2)`.execute(db);
    const rows = await db.selectFrom('things').selectAll().orderBy('id').execute();
    expect(
      rows.map((row) => [row.id, row.name, row.kept && Buffer.from(row.kept).toString()]),
    ).toEqual([
      [1, null, 'a'],
      [2, null, null],
      [3, null, null],
    ]);
    const changed = await db.updateTable('things').set({ name: 'x' }).executeTakeFirst();
    expect(changed.numUpdatedRows).toBe(3n);
    await expect(sql`select ${{}}`.execute(db)).rejects.toThrow(
      'SQLite cannot store a value of type object',
    );
    await db.destroy();
  });

  it('streams rows while the same statement runs again', async () => {
    const db = openSqlite<Schema>(':memory:');
    await migrate(db, first);
    await sql`insert into things (id) values (1), (2), (3)`.execute(db);
    const seen: number[] = [];
    for await (const row of db.selectFrom('things').select('id').orderBy('id').stream()) {
      seen.push(row.id);
    }
    expect(seen).toEqual([1, 2, 3]);
    await db.destroy();
  });
});

describe('migrate', () => {
  it('runs what is missing, once', async () => {
    await withFile(async (file) => {
      await open(file, (db) => migrate(db, first));
      await open(file, (db) => migrate(db, second));
      await open(file, (db) => migrate(db, second));
      expect(await tables(file)).toEqual(expect.arrayContaining(['more', 'things']));
    });
  });

  it('refuses a store that is newer than the program, and changes nothing', async () => {
    await withFile(async (file) => {
      await open(file, (db) => migrate(db, second));
      await expect(open(file, (db) => migrate(db, first))).rejects.toThrow(StoreTooNewError);
      await expect(open(file, (db) => migrate(db, first))).rejects.toThrow(
        /newer version of Caregate \(unknown migrations: "002-more"\)/u,
      );
      expect(await tables(file)).toContain('more');
    });
  });

  it('leaves the store as it was when a step fails, and names the cause', async () => {
    await withFile(async (file) => {
      await open(file, (db) => migrate(db, first));
      await expect(open(file, (db) => migrate(db, failing))).rejects.toThrow('no third step');
      expect(await tables(file)).not.toContain('more');
      expect(await tables(file)).not.toContain('half');
    });
  });

  it('lets the second of two that start at once find the work done', async () => {
    await withFile(async (file) => {
      const one = openSqlite<Schema>(file);
      const other = openSqlite<Schema>(file, { busyTimeoutMs: 0 });
      const [first_, second_] = await Promise.allSettled([
        migrate(one, second),
        migrate(other, second),
      ]);
      expect(first_.status).toBe('fulfilled');
      // Without patience it is told that the file is locked; with it (the default) it would have waited.
      expect(String(second_.status === 'rejected' ? second_.reason : 'locked')).toContain('locked');
      await migrate(other, second);
      await one.destroy();
      await other.destroy();
    });
  });

  it('does not wait for a writer when there is nothing to do', async () => {
    await withFile(async (file) => {
      await open(file, (db) => migrate(db, second));
      const writer = openSqlite<Schema>(file);
      await writer.connection().execute(async (connection) => {
        await sql`begin immediate`.execute(connection);
        const reader = openSqlite<Schema>(file, { busyTimeoutMs: 0 });
        await migrate(reader, second);
        await reader.destroy();
        await sql`rollback`.execute(connection);
      });
      await writer.destroy();
    });
  });
});

async function withFile(body: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-store-'));
  try {
    await body(join(folder, 'store.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(file: string, body: (db: Kysely<Schema>) => Promise<void>): Promise<void> {
  const db = openSqlite<Schema>(file);
  try {
    await body(db);
  } finally {
    await db.destroy();
  }
}

async function tables(file: string): Promise<string[]> {
  const db = openSqlite<Schema>(file);
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema`.execute(db);
  await db.destroy();
  return rows.map((row) => row.name);
}
