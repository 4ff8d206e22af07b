import { walkMaskedStates } from '../support/masked-states.testing.ts';

walkMaskedStates((states) => states);
