import { share } from '@caregate/seeded/seed';
import { walkMaskedStates } from '../support/masked-states.testing.ts';

walkMaskedStates((states) => share(states, 3));
