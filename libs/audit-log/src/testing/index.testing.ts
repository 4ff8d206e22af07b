export { default as canonicalize } from 'canonicalize';
export { formatCheckpoint, signHead } from '../checkpoint.ts';
export {
  consistencyProof,
  Frontier,
  inclusionProof,
  leafHash,
  nodeHash,
  rootOf,
  type NodeReader,
  verifyConsistency,
  verifyInclusion,
} from '../tree.ts';
export { inFolder, until } from './in-folder.testing.ts';
