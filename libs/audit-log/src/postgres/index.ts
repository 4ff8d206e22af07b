export { acceptBreakOnPostgres } from './break/accept-break.ts';
export { KeptCheckpoints, witnessedFile } from './kept-checkpoints.ts';
export { openPostgresAuditLog } from './postgres-backend.ts';
export { PostgresLog } from './postgres-log.ts';
export { requireSeen, type SeenLog } from './seen-logs.ts';
export { asText, besideBody } from './stored/body-columns.ts';
export { listLogs, PostgresLogReader } from './stored/log-reader.ts';
export { namesPatient } from './stored/patient-keys.ts';
export { auditMigrations, auditTables, bodyColumns } from './stored/schema.ts';
export { storeTiles } from './stored/store-tiles.ts';
export {
  readCheckpoint,
  readSeal,
  sizeOfLog,
  withNodes,
  type Queryable,
} from './stored/stored-tree.ts';
export { verifyInTransaction, verifyPostgresLog } from './verify/verify-postgres.ts';
