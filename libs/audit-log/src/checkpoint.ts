/**
 * The entry point for whoever checks that a log only grows and holds no key of it, such as a desktop. Unlike the main one, it
 * loads nothing that stores a log.
 */
export { BadCheckpointError } from './errors.ts';
export {
  openCheckpoint,
  parseVerifierKey,
  type Checkpoint,
  type VerifierKey,
} from './note/checkpoint.ts';
export { verifyConsistency, verifyInclusion } from './tree/tree.ts';
