import { OperatorError } from '../../config/operator-error.ts';
import type { RecordAct } from '../../auth/access-acts.ts';
import { AccessStore, type AccessOptions } from '../../auth/access-store.ts';
import { openPostgresAccess } from '../../auth/postgres/open-postgres-access.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import {
  DATABASE_TIMEOUT_MS,
  openPostgres,
  storeProblem,
  waitForPostgres,
} from '@caregate/data-store/database';

/** Apart from those of reads, so that a slow read holds up no key. */
const connections = 4;

export async function openAccess(
  { dataDir, databaseUrl }: Pick<ServiceConfig, 'dataDir' | 'databaseUrl'>,
  acts?: RecordAct,
): Promise<AccessStore> {
  const options: AccessOptions = acts === undefined ? {} : { acts };
  if (databaseUrl === '') {
    return await AccessStore.open(dataDir, options).catch((error: unknown) => {
      const problem = storeProblem(error)?.replace('store.db', 'access.db');
      throw problem === undefined ? error : new OperatorError(problem, 1, error);
    });
  }
  const pool = openPostgres(databaseUrl, {
    applicationName: 'caregate access',
    connections,
    statementTimeoutMs: DATABASE_TIMEOUT_MS,
    connectTimeoutMs: DATABASE_TIMEOUT_MS,
  });
  await waitForPostgres(pool, 0).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return await openPostgresAccess(pool, options);
}
