/** Returns the primary result code, see https://sqlite.org/rescode.html */
function getSqliteCode(error: unknown): number | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'errcode' in error;
  return hasCode && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Whether another process holds the lock (SQLITE_BUSY). */
export function isBusy(error: unknown): boolean {
  return getSqliteCode(error) === 5;
}

export function isFull(error: unknown): boolean {
  return getSqliteCode(error) === 13;
}

/** Whether the file can't be opened. This includes a new file on a disk without free inodes. */
export function isUnopened(error: unknown): boolean {
  return getSqliteCode(error) === 14;
}

const problems = new Map([
  [5, 'Another process is writing to the store.'],
  [8, 'The store is read-only: check the permissions of the data folder.'],
  [10, 'Disk read or write error: the disk may be full or failing.'],
  [11, 'The store is corrupt.'],
  [13, 'The disk is full.'],
  [14, 'The store cannot be opened: check that the data folder exists and is writable.'],
  [26, 'The file store.db is not a SQLite database.'],
]);

export function describeStoreProblem(error: unknown): string | undefined {
  return problems.get(getSqliteCode(error) ?? -1);
}
