import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });

/** fast-check, configured with the seed of this test run. */
export default fc;
