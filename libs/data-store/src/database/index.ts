export { compileOnce } from './compile-once.ts';
export { createPostgresTables, createSqliteTables, hasPostgresTables } from './create-tables.ts';
export {
  describeAddress,
  kyselyOver,
  openPostgres,
  poolUse,
  waitForPostgres,
  waitsForStandby,
  withPostgres,
} from './postgres/open-postgres.ts';
export { databaseClass, isUnanswered, postgresProblem } from './postgres/postgres-errors.ts';
export { preparedPool } from './postgres/prepared-pool.ts';
export {
  lastBackupFile,
  lockFolder,
  makeFolder,
  movedMarker,
  movedTo,
  requireNotMoved,
} from './sqlite/data-folder.ts';
export { openSqlite, openSqliteReader } from './sqlite/open-sqlite.ts';
export { isBusy, isFull, isUnopened, storeProblem } from './sqlite/sqlite-errors.ts';
export { type WithWriteLock, advisoryLock, withWriteLock } from './with-write-lock.ts';
