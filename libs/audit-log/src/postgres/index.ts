export { acceptBreakOnPostgres } from './break/accept-break.ts';
export { DataFolderLock } from './break/data-folder-lock.ts';
export { openSession, type AuditSession, type SessionSettings } from './audit-session.ts';
export type { LogLock } from './acquire-log.ts';
export { asText, besideBody } from './stored/body-columns.ts';
export { namesPatient } from './stored/patient-keys.ts';
export { KeptCheckpoints, witnessedFile } from './kept-checkpoints.ts';
export { listLogs, PostgresLogReader } from './stored/log-reader.ts';
export { openOneLog } from './open-one-log.ts';
export { openPostgresAuditLog } from './postgres-backend.ts';
export { PostgresLog, type PostgresLogOptions } from './postgres-log.ts';
export { auditMigrations, auditTables, bodyColumns } from './stored/schema.ts';
export { requireSeen, type SeenLog } from './seen-logs.ts';
export { storeTiles } from './stored/store-tiles.ts';
export {
  readCheckpoint,
  readSeal,
  sizeOfLog,
  withNodes,
  type Queryable,
} from './stored/stored-tree.ts';
export {
  verifyInTransaction,
  verifyPostgresLog,
  type PostgresReport,
} from './verify/verify-postgres.ts';
