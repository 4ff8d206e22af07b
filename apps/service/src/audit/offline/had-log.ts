import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { logFile } from '@caregate/audit-log';
import { storeFile } from '@caregate/data-store';

const sqliteError = 1;

const counted = [
  ['access.db', 'keys', 'select count(*) as rows from keys'],
  ['access.db', 'emergency accesses', 'select count(*) as rows from break_glass'],
  ['store.db', 'people', 'select count(*) as rows from users'],
  ['store.db', 'lab results', 'select count(*) as rows from lab_results'],
] as const;

/** Keys, emergency accesses and imports are recorded before they take effect: a folder with one had a log. */
export function whatShowsALog(dataDir: string): string | undefined {
  const folder = resolve(dataDir);
  if (existsSync(logFile(folder))) {
    return undefined;
  }
  const shown = counted.flatMap(([name, what, query]) => {
    const file = name === 'store.db' ? storeFile(folder) : join(folder, name);
    const rows = rowsIn(file, query);
    return rows === 0
      ? []
      : [`${name} ${rows === undefined ? 'cannot be read' : `has ${what} (${rows})`}`];
  });
  return shown.length === 0 ? undefined : [...new Set(shown)].join(', ');
}

/** The first row's `rows`; 0 if there is no such file or table, undefined if it cannot be read. */
export function rowsIn(file: string, query: string): number | undefined {
  if (!existsSync(file)) {
    return 0;
  }
  let db: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(file);
    // While nobody has it open, SQLite would make files beside it.
    if (!existsSync(`${file}-wal`) && !existsSync(`${file}-shm`)) {
      url.search = 'immutable=1';
    }
    db = new DatabaseSync(url, { readOnly: true, timeout: 5000, allowExtension: false });
    return Number(db.prepare(query).get()?.['rows']);
  } catch (error) {
    // No such table yet: nothing was ever committed to it.
    return (error as { readonly errcode?: number }).errcode === sqliteError ? 0 : undefined;
  } finally {
    db?.close();
  }
}
