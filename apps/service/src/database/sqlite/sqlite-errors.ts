/** SQLite's primary result code of an error of node:sqlite (https://sqlite.org/rescode.html), or undefined. */
function sqliteCode(error: unknown): number | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'errcode' in error;
  return hasCode && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Another process holds the lock (SQLITE_BUSY). */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === 5;
}

/** What a person can do about an error of the store, by its result code. */
const problems = new Map([
  [5, 'Another process is writing to the store.'],
  [8, 'The store may not be written to: check the rights of the data folder.'],
  [10, 'The disk could not be written or read; it may be full or failing.'],
  [11, 'The store is damaged.'],
  [13, 'The disk is full.'],
  [14, 'The store could not be opened: check that the data folder exists and may be written to.'],
  [26, 'The file store.db is no store.'],
]);

/** What an error of the store means, in a sentence, or undefined where it is none of the store's. */
export function storeProblem(error: unknown): string | undefined {
  return problems.get(sqliteCode(error) ?? -1);
}
