import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { getLogFile } from '@caregate/audit-log';
import { getStoreFile } from '@caregate/data-store';
import { listRecords, withFolderLog } from './read-logs.ts';

const SQLITE_ERROR = 1;

const EVIDENCE_QUERIES = [
  ['access.db', 'keys', 'select count(*) as rows from keys'],
  ['access.db', 'emergency accesses', 'select count(*) as rows from break_glass'],
  ['store.db', 'people', 'select count(*) as rows from users'],
  ['store.db', 'lab results', 'select count(*) as rows from lab_results'],
] as const;

/**
 * API keys, emergency accesses and imports are recorded before they take effect, so a data folder that has one of
 * them had an audit log.
 */
export function findEvidenceOfLog(dataDir: string): string | undefined {
  const folder = resolve(dataDir);
  if (existsSync(getLogFile(folder))) {
    return undefined;
  }
  const evidence = EVIDENCE_QUERIES.flatMap(([name, what, query]) => {
    const rows = countRows(name === 'store.db' ? getStoreFile(folder) : join(folder, name), query);
    const found = rows === undefined ? 'cannot be read' : `has ${what} (${rows})`;
    return rows === 0 ? [] : [`${name} ${found}`];
  });
  return evidence.length === 0 ? undefined : [...new Set(evidence)].join(', ');
}

/**
 * Returns why a data folder must not be served: its audit log has a record of an import, but its store has none. Such
 * a store would be served as a clinic without patients.
 *
 * @throws AuditBrokenError if the audit log is broken
 */
export async function describeLostStore(dataDir: string): Promise<string | undefined> {
  const file = getStoreFile(dataDir);
  const imports = countRows(file, 'select coalesce(sum(files), 0) as rows from imports');
  if (imports !== 0 || !existsSync(getLogFile(dataDir))) {
    return undefined;
  }
  const records = await withFolderLog(dataDir, (log) =>
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

/** Returns the first row's `rows`. Returns 0 if there is no such file or table, undefined if it can't be read. */
export function countRows(file: string, query: string): number | undefined {
  if (!existsSync(file)) {
    return 0;
  }
  let db: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(file);
    // While no process has the database open, SQLite would create files beside it.
    if (!existsSync(`${file}-wal`) && !existsSync(`${file}-shm`)) {
      url.search = 'immutable=1';
    }
    db = new DatabaseSync(url, { readOnly: true, timeout: 5000, allowExtension: false });
    return Number(db.prepare(query).get()?.['rows']);
  } catch (error) {
    // If the table doesn't exist, nothing was ever committed to it.
    return (error as { readonly errcode?: number }).errcode === SQLITE_ERROR ? 0 : undefined;
  } finally {
    db?.close();
  }
}
