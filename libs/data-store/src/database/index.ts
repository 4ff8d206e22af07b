export { compileOnce } from './compile-once.ts';
export { createPostgresTables, createSqliteTables, hasPostgresTables } from './create-tables.ts';
export {
  describeAddress,
  createPostgresKysely,
  openPostgres,
  getPoolUsage,
  waitForPostgres,
  hasSynchronousStandby,
  withPostgres,
} from './postgres/open-postgres.ts';
export {
  classifyDatabaseError,
  isUnanswered,
  describePostgresProblem,
} from './postgres/postgres-errors.ts';
export { createPreparedPool } from './postgres/prepared-pool.ts';
export {
  getLastBackupFile,
  lockFolder,
  makeFolder,
  getMovedMarkerFile,
  readMovedDestination,
  requireNotMoved,
} from './sqlite/data-folder.ts';
export { openSqlite, openSqliteReader } from './sqlite/open-sqlite.ts';
export { isBusy, isFull, isUnopened, describeStoreProblem } from './sqlite/sqlite-errors.ts';
export { type WithWriteLock, createAdvisoryLock, withWriteLock } from './with-write-lock.ts';
