import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { createDatabase, startPostgres } from './start-postgres.ts';

const shared = 'caregate postgres of this process';
let starting: Promise<string> | undefined;

/**
 * Creates an empty database and returns its URL for a superuser. All spec files of a Jest worker share one server
 * without fsync, which stops with the worker. Don't stop or configure it.
 *
 * @throws PostgresMissingError if PostgreSQL is not installed
 */
export async function newDatabase(): Promise<string> {
  // Jest gives each spec file its own modules and globals. Node's environment data is shared by all of them.
  const started = getEnvironmentData(shared);
  return await createDatabase(typeof started === 'string' ? started : await (starting ??= start()));
}

async function start(): Promise<string> {
  const { url } = await startPostgres({ fsync: 'off' });
  setEnvironmentData(shared, url);
  return url;
}
