import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });

/** fast-check, whose properties all begin with the seed of the run. */
export default fc;
