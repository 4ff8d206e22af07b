import { type AuditEntry, NoAuditLogError } from '@caregate/audit-log';
import type { AuditLog } from '@caregate/audit-log';
import { makeFolder } from '../../database/sqlite/make-folder.ts';
import { openPostgresAuditLog } from '@caregate/audit-log/postgres';

/**
 * Records a command on the logs of a database, in a log signed with the key of the data folder: one that no instance is
 * writing, or a new one.
 *
 * @throws NoAuditLogError if no data folder is given
 */
export async function recordInDatabase(
  url: string,
  dataDir: string | undefined,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (dataDir === undefined) {
    throw new NoAuditLogError(
      'Use --data DIR: this command is recorded in a log signed with the key in that folder.',
    );
  }
  makeFolder(dataDir);
  await recordAndSign(await openPostgresAuditLog(url, dataDir), entries);
}

/** Appends the records, signs the log and closes it. */
async function recordAndSign(log: AuditLog, entries: readonly AuditEntry[]): Promise<void> {
  try {
    for (const entry of entries) {
      await log.record(entry);
    }
    await log.checkpoint();
  } finally {
    await log.close();
  }
}
