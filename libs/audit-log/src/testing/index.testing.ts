export { default as canonicalize } from 'canonicalize';
export { formatCheckpoint, signHead } from '../checkpoint.ts';
export { buildConsistencyProof, Frontier, buildInclusionProof, type NodeReader } from '../tree.ts';
export { leafHash, verifyConsistency, verifyInclusion } from './verify-proofs.testing.ts';
export { auditText, inFolder, until } from './audit-text.testing.ts';
