export { default as canonicalize } from 'canonicalize';
export { ProcessStopped } from '../disk/simulated-disk.testing.ts';
export { auditEntry as auditText, inFolder, until } from './audit-entry.testing.ts';
export * from './folder-log.testing.ts';
export {
  appendGroup,
  makeAuditTables,
  newKey,
  openLog,
  pastTriggers,
  sessionOf,
} from './postgres-log.testing.ts';
export { forgeries as tableForgeries } from '../postgres/verify/forging.testing.ts';
export * from './dice.testing.ts';
export * from '../verify/history.testing.ts';
export * from '../verify/forged-log.testing.ts';
export * from '../verify/forgeries.testing.ts';
export * from '../verify/judge.testing.ts';
export { signCheckpoint } from '../note/checkpoint.ts';
export {
  consistencyProof,
  Frontier,
  inclusionProof,
  leafHash,
  nodeHash,
  rootAt,
  type NodeReader,
  verifyConsistency,
  verifyInclusion,
} from '../tree/tree.ts';
export { openSession, type AuditSession } from '../postgres/audit-session.ts';
export { nodeDisk } from '../disk/node-disk.ts';
export { Indexer } from '../index-db/indexer.ts';
export { auditKeyFile, loadKey } from '../note/audit-key.ts';
