export { idsOf, packSortedUuids, uuidsOf } from './packed-ids.ts';
export { parseCheckpoint, VerifierKey } from './checkpoint.ts';
export {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  BadCheckpointError,
  LogRefusedError,
  NoAuditLogError,
} from './errors.ts';
export type {
  AuditLog,
  AuditLogOptions,
  AuditLogState,
  AuditReceipt,
  LogPlace,
} from './audit-log.ts';
export type { Members, RecordText, StoredRecord } from './record.ts';
export { openAuditLog, rotateKey } from './open-audit-log.ts';
export { LogReader, openDatabaseReaders, openFolderReader } from './log-reader.ts';
export { logFile, logIdFile, readLogId } from './open-appender.ts';
export { keepSigningKeyIn, SigningKey } from './signing-key.ts';
export { newLog } from './new-log.ts';
export { postgresTables } from './storage/postgres.ts';
export { requireSeen } from './see-logs.ts';
export { verifyInThread } from './verify-in-thread.ts';
export { verifyLog } from './verify-log.ts';
