import type { AuditEntry } from '../audit-entry.ts';
import type { AuditLog } from '../audit-log.ts';
import { makeFolder } from '../../database/sqlite/make-folder.ts';
import { NoAuditLogError } from '../log/audit-reader.ts';
import { openPostgresAuditLog } from '../postgres/postgres-backend.ts';

/**
 * Records what a command does with a database's logs in a log of this data folder's key: one that no instance writes
 * now, or a new one.
 *
 * @throws NoAuditLogError where no data folder is named
 */
export async function recordInDatabase(
  url: string,
  dataDir: string | undefined,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (dataDir === undefined) {
    throw new NoAuditLogError('Give --data DIR: with the key there what is done is recorded.');
  }
  makeFolder(dataDir);
  await recordAndSign(await openPostgresAuditLog(url, dataDir), entries);
}

/** Records, signs the log as it is then, and closes it. */
export async function recordAndSign(log: AuditLog, entries: readonly AuditEntry[]): Promise<void> {
  try {
    for (const entry of entries) {
      await log.record(entry);
    }
    await log.checkpoint();
  } finally {
    await log.close();
  }
}
