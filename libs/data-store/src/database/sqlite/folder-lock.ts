import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../operator-error.ts';

const lockFile = 'service-lock.db';
const busy = 5;

/**
 * Holds a data folder for one process until `close`, or until the process ends: a transaction of SQLite, since Node has no flock.
 *
 * @throws OperatorError if a service, or a command that must be alone, holds it
 */
export function lockFolder(dataDir: string): { close(): void } {
  const db = new DatabaseSync(join(dataDir, lockFile), { timeout: 500, allowExtension: false });
  try {
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if (((error as { readonly errcode?: number }).errcode ?? 0) % 256 !== busy) {
      throw error;
    }
    throw new OperatorError(
      `${dataDir} is in use by another caregate process, probably the service. Stop it, then try again.`,
      1,
      error,
    );
  }
}
