import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { createDatabase, startPostgres } from './start-postgres.ts';

const shared = 'caregate postgres of this process';
let starting: Promise<string> | undefined;

/**
 * URL of an empty database, of a superuser, on a server without fsync that ends with this process: one for all spec files of a
 * worker of Jest. Don't stop or configure the server.
 *
 * @throws PostgresMissingError if PostgreSQL is not installed
 */
export async function newDatabase(): Promise<string> {
  // Each spec file has modules and globals of its own; this is Node's.
  const started = getEnvironmentData(shared);
  return await createDatabase(typeof started === 'string' ? started : await (starting ??= start()));
}

async function start(): Promise<string> {
  const { url } = await startPostgres({ fsync: 'off' });
  setEnvironmentData(shared, url);
  return url;
}
