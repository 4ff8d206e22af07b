export { default as canonicalize } from 'canonicalize';
export { formatCheckpoint, signHead } from '../checkpoint.ts';
export {
  consistencyProof,
  Frontier,
  inclusionProof,
  leafHash,
  type NodeReader,
  verifyConsistency,
  verifyInclusion,
} from '../tree.ts';
export { auditText, inFolder, until } from './audit-text.testing.ts';
export { forgeries, type Forgery } from './forgeries.testing.ts';
