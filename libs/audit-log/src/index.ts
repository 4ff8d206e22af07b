export type {
  AuditActorType,
  AuditEntry,
  AuditReceipt,
  AuditRecorder,
} from './entry/audit-entry.ts';
export { auditBody, textAroundSeq, type Place } from './entry/body.ts';
export { canonicalJson } from './entry/canonical-json.ts';
export * from './entry/log-operations.ts';
export { uuidsOf } from './entry/packed-uuids.ts';
export { systemRecord } from './entry/system-record.ts';
export { instantOfRecord, parseBody, type RecordBody } from './entry/record-body.ts';
export {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  BadCheckpointError,
  MissingNodeError,
  NoAuditLogError,
  PolicyError,
  type Breach,
} from './errors.ts';
export type { Disk, DiskFile } from './disk/disk.ts';
export { nodeDisk } from './disk/node-disk.ts';
export { writeDurably } from './disk/write-durably.ts';
export { removeIfThere, writeWhole } from './disk/whole-file.ts';
export { requirePlainParts } from './folder/lock/plain-parts.ts';
export { StoredRecords } from './folder/stored-records.ts';
export * from './folder/group.ts';
export { exportNdjson } from './export/ndjson.ts';
export { provenRecords } from './export/proven-records.ts';
export { writeTiles } from './export/write-tiles.ts';
export { logPaths, type LogPaths } from './folder/layout.ts';
export { acceptBreak, type AcceptedBreak } from './folder/accept-break.ts';
export { signingKey } from './folder/log-key.ts';
export { LogReader } from './folder/log-reader.ts';
export { FolderLock, isBeingWritten } from './folder/lock/folder-lock.ts';
export { openLocked, type LockedLog } from './folder/locked-log.ts';
export { LogRefusedError, refused, type Refusal } from './folder/log-refused.ts';
export { LogWriter, type LogWriterOptions } from './folder/log-writer.ts';
export { IdleIndexing } from './index-db/idle-indexing.ts';
export { Indexer } from './index-db/indexer.ts';
export { copyLog } from './folder/copy-log.ts';
export { LogIndex, type Span } from './index-db/log-index.ts';
export { isMatch, type RecordFilter } from './index-db/record-filter.ts';
export { auditKeyFile, loadKey, loadOrMakeKey } from './note/audit-key.ts';
export * from './note/checkpoint.ts';
export * from './note/seal.ts';
export type { LogSource, StoredEntry } from './log-source.ts';
export * from './tree/tree.ts';
export * from './tree/tiles.ts';
export { cosign, cosignedAt } from './note/cosignature.ts';
export * from './note/cosigner-key.ts';
export * from './note/signed-note.ts';
export {
  meetsPolicy,
  parsePolicy,
  type Policy,
  type PolicyLog,
  type PolicyWitness,
} from './witness/policy.ts';
export { Witness, type WitnessAnswer } from './witness/witness.ts';
export {
  WitnessClient,
  type Round,
  type WitnessedLog,
  type WitnessReport,
} from './witness/witness-client.ts';
export { FileWitnessStore, originHash } from './witness/witness-store.ts';
export { parseTilePath, tilesOf, type TilePlace } from './tree/tile-path.ts';
export { verifyFolder, type VerifyOptions, type VerifyReport } from './verify/verify-folder.ts';
export {
  AuditLogEvents,
  type AuditLog,
  type AuditLogOptions,
  type AuditLogState,
} from './writer/audit-log.ts';
export { startWriter } from './writer/audit-writer.ts';
export { failureOf } from './writer/failure.ts';
export type {
  BackendEvents,
  LogBackend,
  StartBackend,
  WriterReply,
  WriterRequest,
} from './writer/log-backend.ts';
export { namesOf, openAuditLog } from './writer/open-audit-log.ts';
export { recordActs, type RecordActsOptions } from './writer/record-acts.ts';
