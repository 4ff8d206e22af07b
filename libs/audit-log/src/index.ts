export { idsOf, packSortedUuids, uuidsOf } from './entry/packed-uuids.ts';
export {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  BadCheckpointError,
  NoAuditLogError,
} from './errors.ts';
export { syncFolder } from './disk/node-disk.ts';
export { writeDurably } from './disk/write-durably.ts';
export { newLog } from './folder/new-log.ts';
export { logPaths } from './folder/layout.ts';
export { LogReader } from './folder/log-reader.ts';
export { heldKey } from './folder/signing-key.ts';
export { FolderIndex } from './index-db/folder-index.ts';
export type { LogSource } from './log/log-source.ts';
export { ProvenTree } from './log/proven-tree.ts';
export { VerifierKey } from './note/checkpoint.ts';
export { keepSigningKeyIn } from './note/audit-key.ts';
export { verifyFolder } from './verify/verify-folder.ts';
export type { AuditLog, AuditLogOptions, AuditReceipt } from './writer/audit-log.ts';
export { openAuditLog } from './writer/open-audit-log.ts';
export { recordActs, rotateKey } from './writer/record-acts.ts';
