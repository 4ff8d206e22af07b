import { logFile } from '@caregate/audit-log';
import { existsSync } from 'node:fs';
import { storeFile } from '@caregate/data-store';
import { listRecords } from '../export/records.ts';
import { rowsIn } from './had-log.ts';
import { inFolder } from './open-log.ts';

/**
 * Why a data folder must not be served: its audit log knows of an import, and its store of none. Such a store would be served as a
 * clinic without patients.
 *
 * @throws AuditBrokenError if the log does not hold
 */
export async function lostStore(dataDir: string): Promise<string | undefined> {
  const file = storeFile(dataDir);
  const imports = rowsIn(file, 'select coalesce(sum(files), 0) as rows from imports');
  if (imports !== 0 || !existsSync(logFile(dataDir))) {
    return undefined;
  }
  const records = await inFolder(dataDir, (log) =>
    listRecords([log], { operations: ['importFinished', 'messagesTaken'], decision: 'allowed' }),
  );
  const last = records.findLast(({ record_count: count }) => count !== null && count > 0);
  if (last === undefined) {
    return undefined;
  }
  const at = new Date(last.recorded_at_us / 1000).toISOString();
  return `${file} ${existsSync(file) ? 'is empty' : 'is missing'}, and the audit log has an import of ${at}.`;
}

export const RESTORE_STORE =
  'Stop the service, then caregate restore BACKUP, with the newest backup; or import the people again.';
