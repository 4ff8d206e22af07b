import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sql } from 'kysely';
import { StoreTooNewError, type Migrations } from '../sqlite/migrate.ts';
import { migratePostgres } from './migrate-postgres.ts';
import {
  kyselyOver,
  openPostgres,
  PostgresUnavailableError,
  waitForPostgres,
  type PostgresOptions,
} from './open-postgres.ts';
import type { Upgrade } from './upgrade-progress.ts';

const options: PostgresOptions = {
  applicationName: 'caregate spec',
  connections: 2,
  statementTimeoutMs: 600_000,
  connectTimeoutMs: 600_000,
};
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
});
afterAll(() => server.stop());

const withPool = async (
  url: string,
  body: (pool: ReturnType<typeof openPostgres>) => Promise<void>,
  changes: Partial<PostgresOptions> = {},
): Promise<void> => {
  const pool = openPostgres(url, { ...options, ...changes });
  try {
    await body(pool);
  } finally {
    await pool.end();
  }
};

describe('a pool', () => {
  it('tells its name, and gives integers as numbers', async () => {
    await withPool(server.url, async (pool) => {
      const { rows } = await pool.query<{ name: string; big: unknown }>(
        "select current_setting('application_name') as name, 2::bigint ^ 53 as float, 9007199254740991 as big",
      );
      expect(rows[0]).toMatchObject({ name: 'caregate spec', big: 9_007_199_254_740_991 });
    });
  });

  it('ends long statements', async () => {
    const endless = 'select pg_sleep(86400)';
    await withPool(
      server.url,
      async (pool) => {
        await expect(pool.query(endless)).rejects.toMatchObject({ code: '57014' });
      },
      { statementTimeoutMs: 300 },
    );
  });

  it('goes on after the server was gone', async () => {
    await withPool(server.url, async (pool) => {
      await pool.query('select 1');
      await server.down('immediate');
      const onWaiting = jest.fn();
      const waiting = waitForPostgres(pool, 600_000, onWaiting);
      await expect(waitForPostgres(pool, 0)).rejects.toThrow(
        /^PostgreSQL at 127\.0\.0\.1:\d+\/postgres is not available: .+ Gave up after 0 s\.$/u,
      );
      await server.up();
      await waiting;
      expect(onWaiting).toHaveBeenCalledTimes(1);
    });
  });
});

describe('waitForPostgres', () => {
  it.each<[string, (url: URL) => void, string]>([
    ['a wrong password', (url) => (url.password = 'secret-but-wrong'), 'wrong password'],
    ['no such database', (url) => (url.pathname = '/none'), 'the database does not exist'],
  ])('does not wait where nothing would change: %s', async (_, change, reason) => {
    const url = new URL(server.url);
    change(url);
    await withPool(url.href, async (pool) => {
      const refused = waitForPostgres(pool, 600_000);
      await expect(refused).rejects.toThrow(PostgresUnavailableError);
      await expect(refused).rejects.toThrow(reason);
      await expect(refused).rejects.not.toThrow(url.password);
    });
  });
});

const first: Migrations = {
  '001-things': {
    up: async (db) => {
      await sql`create table things (id bigint primary key)`.execute(db);
    },
  },
};
const second: Migrations = {
  ...first,
  '002-more': {
    up: async (db) => {
      await sql`create table more (id bigint primary key)`.execute(db);
    },
  },
};
const slow: Migrations = {
  ...second,
  '003-slow': {
    up: async (db) => {
      await sql`create table rows as select n as id from generate_series(1, 5000) n`.execute(db);
      await sql
        .raw(
          `create function waits(n int) returns int immutable language plpgsql as $$
          begin
            if n = 4000 then perform pg_catalog.pg_advisory_xact_lock(42); end if;
            return n;
          end $$`,
        )
        .execute(db);
      await sql`create index slow on rows (waits(id))`.execute(db);
    },
  },
};
const failing: Migrations = {
  ...second,
  '003-broken': {
    up: async (db) => {
      await sql`create table half (id bigint primary key)`.execute(db);
      throw new Error('no third step');
    },
  },
};

describe('migratePostgres', () => {
  const tables = async (url: string): Promise<string[]> => {
    const pool = openPostgres(url, options);
    const { rows } = await sql<{ name: string }>`
      select schemaname || '.' || tablename as name from pg_tables
        where schemaname in ('one', 'two', 'public') and tablename not like 'kysely%' order by 1`.execute(
      kyselyOver(pool),
    );
    await pool.end();
    return rows.map(({ name }) => name);
  };

  it('runs what is missing, once, each schema for itself', async () => {
    const url = await server.database();
    await withPool(url, async (pool) => {
      await migratePostgres(pool, 'one', first);
      await migratePostgres(pool, 'one', second);
      await migratePostgres(pool, 'one', second);
      await migratePostgres(pool, 'two', first);
    });
    expect(await tables(url)).toEqual(['one.more', 'one.things', 'two.things']);
  });

  it('refuses a schema that is newer than the program, and changes nothing', async () => {
    const url = await server.database();
    await withPool(url, async (pool) => {
      await migratePostgres(pool, 'one', second);
      await expect(migratePostgres(pool, 'one', first)).rejects.toThrow(StoreTooNewError);
    });
    expect(await tables(url)).toEqual(['one.more', 'one.things']);
  });

  it('leaves the schema as it was when a step fails, and names the cause', async () => {
    const url = await server.database();
    await withPool(url, async (pool) => {
      await migratePostgres(pool, 'one', first);
      await expect(migratePostgres(pool, 'one', failing)).rejects.toThrow('no third step');
    });
    expect(await tables(url)).toEqual(['one.things']);
  });

  it('tells each step that is missing, how far its index is, and the end; for longer than a statement of the pool may take', async () => {
    const url = await server.database();
    const told: (Upgrade | undefined)[] = [];
    const held: number[] = [];
    const holder = openPostgres(url, options);
    // The index waits at one of its rows until then.
    await holder.query('begin; select pg_advisory_xact_lock(42)');
    const statementTimeoutMs = 2000;
    let heldSince: number | undefined;
    let ended: Promise<void> | undefined;
    await withPool(
      url,
      async (pool) => {
        await migratePostgres(pool, 'one', first);
        await migratePostgres(pool, 'one', slow, (at) => {
          told.push(at);
          if (at?.ofIndex === undefined || ended !== undefined) {
            return;
          }
          held.push(at.ofIndex);
          heldSince ??= performance.now();
          if (performance.now() - heldSince > 2 * statementTimeoutMs) {
            ended = holder.end();
          }
        });
      },
      { statementTimeoutMs },
    );
    await ended;
    // On a slow machine it was asked before the first step, too.
    const begun = told.find((at) => at?.step !== 0);
    expect(begun).toEqual({ schema: 'one', step: 1, of: 2, ofIndex: undefined });
    expect(told).toContainEqual({ schema: 'one', step: 2, of: 2, ofIndex: expect.any(Number) });
    expect(told.at(-1)).toBeUndefined();
    expect(held.at(-1)).toBeGreaterThan(0);
    expect(held.at(-1)).toBeLessThan(0.5);
  });

  it('says that it waits for another instance', async () => {
    const url = await server.database();
    const told: (Upgrade | undefined)[] = [];
    await withPool(url, (pool) => migratePostgres(pool, 'one', first));
    const holder = openPostgres(url, options);
    await holder.query(`begin; select pg_advisory_xact_lock(hashtextextended('caregate one', 0))`);
    let ended: Promise<void> | undefined;
    await withPool(url, (pool) =>
      migratePostgres(pool, 'one', second, (at) => {
        told.push(at);
        ended ??= holder.end();
      }),
    );
    await ended;
    expect(told[0]).toEqual({ schema: 'one', step: 0, of: 2, ofIndex: undefined });
    expect(told).toContainEqual({ schema: 'one', step: 1, of: 1, ofIndex: undefined });
  });

  it('tells nothing of the tables of a new database', async () => {
    const told: unknown[] = [];
    await withPool(await server.database(), (pool) =>
      migratePostgres(pool, 'one', second, (at) => told.push(at)),
    );
    expect(told).toEqual([]);
  });

  it('lets one of many that start at once do the work', async () => {
    const url = await server.database();
    await Promise.all(
      Array.from({ length: 6 }, () =>
        withPool(url, (pool) => migratePostgres(pool, 'one', second)),
      ),
    );
    expect(await tables(url)).toEqual(['one.more', 'one.things']);
  });
});
