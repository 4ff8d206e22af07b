import { existsSync } from 'node:fs';
import { OperatorError } from '../../config/operator-error.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import {
  openPostgresEraser,
  openSqliteEraser,
  type PersonEraser,
  storeFile,
} from '@caregate/data-store';

type Where = Pick<ServiceConfig, 'dataDir' | 'databaseUrl'>;

export function hasStore({ dataDir, databaseUrl }: Where): boolean {
  return databaseUrl !== '' || existsSync(storeFile(dataDir));
}

/** @throws OperatorError if there is no store: none is created */
export function requireStore(where: Where): void {
  if (!hasStore(where)) {
    throw new OperatorError(`${where.dataDir} is not a data folder: it has no store.db.`, 2);
  }
}

/** @throws OperatorError if there is no store */
export async function withEraser<T>(
  where: Where,
  work: (eraser: PersonEraser) => Promise<T>,
): Promise<T> {
  requireStore(where);
  const { dataDir, databaseUrl } = where;
  const eraser =
    databaseUrl === '' ? await openSqliteEraser(dataDir) : await openPostgresEraser(databaseUrl, 0);
  try {
    return await work(eraser);
  } finally {
    await eraser.close();
  }
}
