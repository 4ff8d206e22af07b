import { AccessStore } from '../access/access-store.ts';
import { openPostgresAccess } from '../access/postgres/open-postgres-access.ts';
import { readDatabaseUrl } from '../config/read-config.ts';
import { ConfigError, type ServiceConfig } from '../config/service-config.ts';
import { storeProblem } from '../database/sqlite/sqlite-errors.ts';
import {
  openPostgres,
  PostgresUnavailableError,
  waitForPostgres,
} from '../database/postgres/open-postgres.ts';
import { postgresProblem } from '../database/postgres/postgres-errors.ts';
import { StartError } from './start-problem.ts';

/** Of each instance, apart from those for reads: a slow read must hold up nobody's key. */
const connections = 4;

/** The keys and grants of the database that `DATABASE_URL` names; without one those of the data folder. */
export async function openAccess(
  config: Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'databaseTimeoutMs'>,
): Promise<AccessStore> {
  if (config.databaseUrl !== '') {
    return await openPostgresAccess(accessPool(config.databaseUrl, config.databaseTimeoutMs));
  }
  return await AccessStore.open(config.dataDir).catch((error: unknown) => {
    const problem = storeProblem(error)?.replace('store.db', 'access.db');
    throw problem === undefined ? error : new StartError(problem, 1, error);
  });
}

/**
 * The same for a command.
 *
 * @throws ConfigError where neither is named
 * @throws PostgresUnavailableError
 */
export async function openAccessForCommand(dataDir: string | undefined): Promise<AccessStore> {
  const url = readDatabaseUrl(process.env);
  if (url !== '') {
    const pool = accessPool(url, 10_000);
    await waitForPostgres(pool, 0).catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
    return await openPostgresAccess(pool);
  }
  if (dataDir === undefined) {
    throw new ConfigError('Whose keys? Give --data DIR, or set DATABASE_URL.');
  }
  return await AccessStore.open(dataDir);
}

function accessPool(url: string, timeoutMs: number): ReturnType<typeof openPostgres> {
  return openPostgres(url, {
    applicationName: 'caregate access',
    connections,
    statementTimeoutMs: timeoutMs,
    connectTimeoutMs: timeoutMs,
  });
}

/** What a command says where no data is named, or the database does not do what is asked; undefined for what else. */
export function databaseProblem(
  error: unknown,
): { readonly message: string; readonly exitCode: 1 | 2 } | undefined {
  if (error instanceof ConfigError) {
    return { message: error.message, exitCode: 2 };
  }
  if (error instanceof PostgresUnavailableError) {
    return { message: error.message, exitCode: 1 };
  }
  // Else a file's error could pass for one of PostgreSQL's.
  const message = process.env['DATABASE_URL'] ? postgresProblem(error) : undefined;
  return message === undefined ? undefined : { message, exitCode: 1 };
}
