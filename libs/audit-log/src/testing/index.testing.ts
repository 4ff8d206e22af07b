export { default as canonicalize } from 'canonicalize';
export { formatCheckpoint, signHead } from '../checkpoint.ts';
export { consistencyProof, Frontier, inclusionProof, type NodeReader } from '../tree.ts';
export { leafHash, verifyConsistency, verifyInclusion } from './verify-proofs.testing.ts';
export { auditText, inFolder, until } from './audit-text.testing.ts';
