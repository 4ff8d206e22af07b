/** For whoever checks that a log only grows and holds no key of it, such as a desktop: it loads nothing that stores a log. */
export { BadCheckpointError } from './errors.ts';
export { VerifierKey } from './note/checkpoint.ts';
