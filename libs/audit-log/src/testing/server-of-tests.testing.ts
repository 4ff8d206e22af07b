import { afterAll, beforeAll } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';

/** A server while the tests of a file run. */
export function serverOfTests(): Pick<PostgresServer, 'url' | 'database'> {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' });
  });
  afterAll(() => server.stop());
  return {
    get url() {
      return server.url;
    },
    database: () => server.database(),
  };
}
