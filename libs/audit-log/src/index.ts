export { parseCheckpoint, VerifierKey } from './checkpoint.ts';
export {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  BadCheckpointError,
  LogRefusedError,
  NoAuditLogError,
} from './errors.ts';
export {
  openAuditLog,
  rotateKey,
  type AuditLog,
  type AuditLogOptions,
  type AuditReceipt,
} from './audit-log.ts';
export { getLogFile, readLogId, type LogPlace } from './log-place.ts';
export { LogReader, openReaders } from './log-reader.ts';
export { startNewLog } from './new-log.ts';
export { packSortedUuids, readIds, type RecordText, type StoredRecord } from './record.ts';
export { SigningKey } from './signing-key.ts';
export { buildPostgresTables } from './storage/postgres.ts';
export { answerCalls, Thread, WORKER_EXTENSION } from './thread.ts';
