import { storeProblem } from '@caregate/data-store/database';
import type { RecordAct } from '../../auth/access-acts.ts';
import { AccessStore } from '../../auth/access-store.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { ServiceConfig } from '../../config/service-config.ts';

export async function openAccess(
  { dataDir, databaseUrl }: Pick<ServiceConfig, 'dataDir' | 'databaseUrl'>,
  acts?: RecordAct,
): Promise<AccessStore> {
  const options = acts && { acts };
  if (databaseUrl !== '') {
    return await AccessStore.openPostgres(databaseUrl, options);
  }
  return await AccessStore.open(dataDir, options).catch((error: unknown) => {
    const problem = storeProblem(error)?.replace('store.db', 'access.db');
    throw problem === undefined ? error : new OperatorError(problem, 1, error);
  });
}
