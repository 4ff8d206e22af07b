import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { openPostgres, PostgresUnavailableError, waitForPostgres } from './open-postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
});
afterAll(() => server.stop());

const withPool = async (
  url: string,
  body: (pool: ReturnType<typeof openPostgres>) => Promise<void>,
  statementTimeoutMs = 600_000,
): Promise<void> => {
  const pool = openPostgres(url, 'caregate spec', { connections: 2, statementTimeoutMs });
  try {
    await body(pool);
  } finally {
    await pool.end();
  }
};

describe('a pool', () => {
  it('ends long statements', async () => {
    const endless = 'select pg_sleep(86400)';
    await withPool(
      server.url,
      async (pool) => {
        await expect(pool.query(endless)).rejects.toMatchObject({ code: '57014' });
      },
      300,
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
