export type { AuditEntry, AuditReceipt, AuditRecorder } from './entry/audit-entry.ts';
export { uuidsOf } from './entry/packed-uuids.ts';
export { systemRecord } from './entry/system-record.ts';
export { parseBody, type RecordBody } from './entry/record-body.ts';
export {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  BadCheckpointError,
  NoAuditLogError,
  PolicyError,
} from './errors.ts';
export { nodeDisk } from './disk/node-disk.ts';
export { writeDurably } from './disk/write-durably.ts';
export { writeWhole } from './disk/whole-file.ts';
export { exportNdjson } from './export/ndjson.ts';
export { provenRecords } from './export/proven-records.ts';
export { ProvenTree, type SignedTree } from './export/proven-tree.ts';
export { writeTiles } from './export/write-tiles.ts';
export { acceptBreak } from './folder/accept-break.ts';
export { copyLog } from './folder/copy-log.ts';
export { logPaths } from './folder/layout.ts';
export { isBeingWritten } from './folder/lock/folder-lock.ts';
export { openLocked } from './folder/locked-log.ts';
export { LogReader } from './folder/log-reader.ts';
export { LogRefusedError, refused } from './folder/log-refused.ts';
export { LogWriter } from './folder/log-writer.ts';
export { IdleIndexing } from './index-db/idle-indexing.ts';
export { Indexer } from './index-db/indexer.ts';
export { LogIndex } from './index-db/log-index.ts';
export { isMatch, type RecordFilter } from './index-db/record-filter.ts';
export type { LogSource } from './log-source.ts';
export { auditKeyFile, loadKey, loadOrMakeKey } from './note/audit-key.ts';
export {
  formatVerifierKey,
  openCheckpoint,
  parseVerifierKey,
  verifierKey,
  type LogIdentity,
  type VerifierKey,
} from './note/checkpoint.ts';
export { cosignedAt } from './note/cosignature.ts';
export {
  cosignerKey,
  formatCosignerKey,
  newCosigners,
  type Cosigner,
} from './note/cosigner-key.ts';
export { isKeyName, parseNote } from './note/signed-note.ts';
export { parseTilePath } from './tree/tile-path.ts';
export { hashesOfTile } from './tree/tiles.ts';
export { verifyConsistency } from './tree/tree.ts';
export { verifyFolder } from './verify/verify-folder.ts';
export type { VerifyReport } from './verify/verify-log.ts';
export { Policy } from './witness/policy.ts';
export { Witness } from './witness/witness.ts';
export { WitnessClient, type Round, type WitnessReport } from './witness/witness-client.ts';
export { FileWitnessStore } from './witness/witness-store.ts';
export type { AuditLog, AuditLogOptions, AuditLogState } from './writer/audit-log.ts';
export { openAuditLog } from './writer/open-audit-log.ts';
export { recordActs } from './writer/record-acts.ts';
